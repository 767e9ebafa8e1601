import { createHash } from 'node:crypto';
import { BusbarError, quoted, readDuration } from 'busbar/base';
import { MalformedMessage } from 'busbar/internal/kafka-protocol';
import type { Api } from '../api.js';
import type { BrokerCore } from '../core.js';
import type { Fault, Interceptor, Part } from '../intercept.js';
import type { Topics } from '../topics/topics.js';
import { type AppliedFault, AppliedFaults } from './applied.js';
import { type HeldAnswer, Hold } from './hold.js';
import { codeOf } from './known-errors.js';
import { withEpoch, withoutEpoch } from './leader-epoch.js';
import { refuseParts } from './refuse-parts.js';
import { partsOf, selects, selectsPart } from './requested.js';
import { checkHold, checkRule, effectOf, type FaultRule, type HoldPoint } from './rules.js';

/** A rule, and how often it was applied. */
export interface ListedRule {
  readonly id: string;
  readonly rule: FaultRule;
  readonly applied: number;
}

const maxRules = 1_000;

interface Entry {
  readonly content: FaultRule | Hold;
  /** The key of its API. */
  readonly key: number;
  readonly intercept: Interceptor;
  applied: number;
  /** Ends the rule or the hold. */
  end(answer?: HeldAnswer): void;
}

/**
 * Faults on demand. The broker asks rules and holds in the order in which they were added; the first one that applies to
 * a request decides.
 */
export class BrokerFaults {
  readonly #broker: BrokerCore;
  readonly #apis: readonly Api[];
  readonly #entries = new Map<string, Entry>();
  readonly #applied = new AppliedFaults();
  #ids = 0;

  constructor(broker: BrokerCore, apis: readonly Api[]) {
    this.#broker = broker;
    this.#apis = apis;
    broker.faultFor = (request) => {
      for (const { key, intercept } of this.#entries.values()) {
        const fault = key === request.apiKey ? intercept(request) : undefined;
        if (fault) return fault;
      }
      return undefined;
    };
  }

  /**
   * Adds a rule. Returns its id.
   * @throws BusbarError `invalid-option` for an unknown API, filter or error, and for an error that Apache Kafka never
   * returns to the API
   */
  add(rule: FaultRule): string {
    const api = checkRule(rule, this.#apis);
    const id = this.#nextId('fault');
    const fault = faultOf(rule, this.#broker.topics);
    this.#enter(id, api, { ...rule }, (apply) => {
      apply();
      return fault;
    });
    return id;
  }

  /** Holds the first request that reaches a point. Ends when the broker stops. @throws BusbarError `invalid-option` */
  hold(point: HoldPoint): Hold {
    const api = checkHold(point, this.#apis);
    const hold = new Hold(this.#nextId('hold'), point);
    this.#enter(hold.id, api, hold, (apply) => hold.fault(apply));
    void hold.released.then(() => this.#entries.get(hold.id)?.end());
    return hold;
  }

  /** Returns the rules in the order in which the broker asks them. */
  list(): ListedRule[] {
    return [...this.#entries].flatMap(([id, { content, applied }]) =>
      content instanceof Hold ? [] : [{ id, rule: content, applied }],
    );
  }

  /** Returns a hold that has not ended. @throws BusbarError `invalid-option` */
  findHold(id: string): Hold {
    const content = this.#entries.get(id)?.content;
    if (content instanceof Hold) return content;
    throw new BusbarError('invalid-option', `Hold ${quoted(id)} does not exist, or it was released.`);
  }

  /** Removes a rule. @throws BusbarError `invalid-option` for an unknown id */
  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) throw new BusbarError('invalid-option', `Fault rule ${quoted(id)} does not exist.`);
    entry.end();
  }

  /** Removes all rules and releases all holds. Held requests continue, unless `answer` is `drop`. */
  clear({ answer = 'send' }: { readonly answer?: HeldAnswer } = {}): void {
    for (const entry of [...this.#entries.values()]) entry.end(answer);
  }

  /** Returns the applied faults after this number, at most the last 10,000. */
  applied(after = 0): AppliedFault[] {
    return this.#applied.after(after);
  }

  #nextId(kind: string): string {
    if (this.#entries.size >= maxRules) {
      const message = `The broker has ${maxRules} fault rules and holds. Remove some.`;
      throw new BusbarError('capacity-exceeded', message);
    }
    return `${kind}-${(this.#ids += 1)}`;
  }

  #enter(
    id: string,
    { key }: Api,
    content: FaultRule | Hold,
    fault: (apply: () => AppliedFault) => Fault,
  ): void {
    const rule: FaultRule = content instanceof Hold ? { ...content.point, times: 1 } : content;
    const { skip = 0, times = Infinity, share } = rule;
    const { topics } = this.#broker;
    const counts = new Map<string, number>();
    let selected = 0;
    const intercept: Interceptor = (request) => {
      if (!selects(rule, request, topics)) return undefined;
      const parts = partsOf(request.request, topics).filter((part) => selectsPart(rule, part));
      const [part, ...others] = parts.map(({ topic, partition }) =>
        partition === undefined ? topic : `${topic}/${partition}`,
      );
      const partition = others.length > 0 ? null : (part ?? null);
      const counter = JSON.stringify([request.clientId, partition]);
      const nth = (counts.get(counter) ?? 0) + 1;
      counts.set(counter, nth);
      selected += 1;
      const applies =
        share === undefined
          ? selected > skip && selected <= skip + times
          : this.#draw(id, counter, nth) < Number.parseFloat(share) / 100;
      if (!applies) return undefined;
      return fault(() => {
        entry.applied += 1;
        return this.#applied.add({
          rule: id,
          at: this.#broker.clock.now(),
          api: request.apiName,
          clientId: request.clientId,
          partition,
          nth,
          did: content instanceof Hold ? `hold ${content.point.at}` : effectOf(content).join(' '),
        });
      });
    };
    const entry: Entry = {
      content,
      key,
      intercept,
      applied: 0,
      end: (answer = 'send') => {
        this.#entries.delete(id);
        if (content instanceof Hold) content.release({ answer });
      },
    };
    this.#entries.set(id, entry);
  }

  /** Returns a number from 0 to 1 that depends on nothing but the seed and the arguments. */
  #draw(...of: readonly unknown[]): number {
    const hash = createHash('sha256').update(JSON.stringify([this.#broker.settings.seed, ...of]));
    return hash.digest().readUIntBE(0, 6) / 2 ** 48;
  }
}

/** Returns the effect of a rule. */
function faultOf(rule: FaultRule, topics: Topics): Fault {
  const { on, error, delay, cut, throttle, epoch = 0, topic, partition } = rule;
  const isPartial = topic !== undefined || partition !== undefined;
  const isSelected = (part: Part) => selectsPart(rule, part);
  if (error !== undefined) {
    return async ({ request, refuse, carryOut }) => {
      // With acks=0 only a closed connection can report an error to the producer.
      if (request['acks'] === 0) throw new MalformedMessage(`a fault refused ${on}`);
      const refused = refuse(codeOf(error));
      return isPartial ? refuseParts(request, refused, { isSelected, topics }, carryOut) : refused;
    };
  }
  return async ({ request, carryOut, wait }) => {
    if (delay !== undefined) await wait(readDuration(delay) ?? 0);
    if (cut === 'before') throw new MalformedMessage(`a fault dropped ${on}`);
    const response = await carryOut(epoch > 0 ? withoutEpoch(request) : request);
    if (cut === 'answer') throw new MalformedMessage(`a fault dropped the response to ${on}`);
    if (response === null) return null;
    if (throttle !== undefined) return { ...response, throttleTimeMs: readDuration(throttle) ?? 0 };
    return epoch > 0 ? withEpoch(response, epoch) : response;
  };
}

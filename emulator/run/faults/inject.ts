import type { Catalogue } from '../../../catalogue/index.js';
import { envelopeHeaders } from '../../../src/envelope/busbar.js';
import { BusbarError } from '../../../src/errors.js';
import { Heap } from '../../engine/heap.js';
import type { Instant } from '../../engine/time.js';
import type { Emission } from '../emission.js';
import type { Sending, Source } from '../source.js';
import { damages, type FaultParameters } from './damage.js';
import { decisions, type FaultMask } from './decide.js';
import { moves } from './move.js';
import type { FaultName, FaultSettings } from './settings.js';

/** A fault that was done: a line of the ledger. */
export interface InjectedFault {
  readonly event: string;
  readonly fault: FaultName;
  readonly parameters: FaultParameters;
}

/** Keeps what was done. */
export interface Ledger {
  add(fault: InjectedFault): void;
  /** A promise where it has to be waited for before more is added. */
  flush(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface InjectOptions {
  readonly seed: number;
  readonly settings: FaultSettings;
  /** What is valid, and which names are taken. */
  readonly catalogue: Catalogue;
  readonly mask?: FaultMask;
  readonly ledger?: Ledger;
}

/** Events that can wait for their time, at most. */
const capacity = 100_000;

/**
 * Does faults to what a source sends. What is delayed waits, ordered by its new virtual time; events of one key stay
 * in order unless asked otherwise; nothing is lost but what is dropped.
 * @throws BusbarError `capacity-exceeded` when more than 100,000 events wait.
 */
export function injectFaults(source: Source, options: InjectOptions): Source {
  const { seed, settings, catalogue, mask, ledger } = options;
  const decided = decisions(seed, settings);
  const happens = (fault: FaultName, id: string) =>
    decided.happens(fault, id) && (mask === undefined || mask(fault, id));
  const move = moves(settings, decided, mask);
  const faults = new Map<string, number>();
  const waiting = new Heap<Waiting>(earlier);
  let size = 0;
  let taken = 0;
  /** Everything that is due until then has been read from the source. */
  let horizon: Instant = -Infinity;

  function take({ emissions, at }: Sending): void {
    horizon = at;
    for (const emission of emissions) inject(emission);
  }

  function inject(original: Emission): void {
    const { id } = original.envelope;
    const done: FaultName[] = [];
    const note = (fault: FaultName, parameters: FaultParameters) => {
      done.push(fault);
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
      ledger?.add({ event: id, fault, parameters });
    };
    if (happens('drop', id)) {
      note('drop', {});
      return;
    }
    let emission = original;
    for (const fault of damageNames) {
      if (!happens(fault, id)) continue;
      const damaged = damages[fault](emission, catalogue, decided);
      if (damaged === undefined) continue;
      ({ emission } = damaged);
      note(fault, damaged.parameters);
    }
    const isDoubled = happens('duplicate', id);
    const sentAt = move.sentAt(original, happens, note);
    emission = { ...emission, faults: [...done], ...(sentAt !== original.at && { sentAt }) };
    wait(emission, sentAt);
    if (!isDoubled) return;
    note('duplicate', { copies: 1 });
    wait({ ...emission, faults: [...done] }, sentAt);
  }

  function wait(emission: Emission, at: Instant): void {
    if (++size > capacity) {
      const message = `More than ${capacity} events wait for their time. Take shorter times or smaller shares for "delay", "reorder" and "burst".`;
      throw new BusbarError('capacity-exceeded', message);
    }
    waiting.push({ at, nth: taken++, emission });
  }

  /** The next that is due, with what was sent beside it. */
  function release(): Sending | undefined {
    const first = waiting.peek();
    if (first === undefined || first.at > horizon) return undefined;
    const { at } = first;
    const occurrence = occurrenceOf(first.emission);
    const emissions: Emission[] = [];
    for (
      let next: Waiting | undefined = first;
      next?.at === at && occurrenceOf(next.emission) === occurrence;
      next = waiting.peek()
    ) {
      waiting.pop();
      emissions.push(next.emission);
      move.sent(next.emission.key, at);
    }
    size -= emissions.length;
    return { at, emissions };
  }

  function next(): Sending | undefined | Promise<Sending | undefined> {
    for (let turns = 1; ; turns++) {
      // Where everything is dropped or held back, the process must still hear of signals and sockets.
      if (turns % 1000 === 0) return new Promise(setImmediate).then(next);
      const flushed = ledger?.flush();
      if (flushed !== undefined) return flushed.then(next);
      const released = release();
      if (released !== undefined || horizon === Infinity) return released;
      const pulled = source.next();
      if (pulled instanceof Promise) {
        return pulled.then((sending) => {
          advance(sending);
          return next();
        });
      }
      advance(pulled);
    }
  }

  function advance(sending: Sending | undefined): void {
    if (sending === undefined) horizon = Infinity;
    else take(sending);
  }

  return {
    next,
    faults,
    branches: source.branches,
    async close() {
      await source.close();
      await ledger?.close();
    },
  };
}

const damageNames = Object.keys(damages) as (keyof typeof damages)[];

interface Waiting {
  readonly at: Instant;
  /** What is due at one instant leaves as it came. */
  readonly nth: number;
  readonly emission: Emission;
}

function earlier(one: Waiting, other: Waiting): boolean {
  return one.at === other.at ? one.nth < other.nth : one.at < other.at;
}

function occurrenceOf({ headers, envelope }: Emission): string {
  return headers[envelopeHeaders.occurrence] ?? envelope.id;
}

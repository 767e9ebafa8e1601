import type { Catalogue } from '../../../catalogue/index.js';
import { envelopeHeaders } from '../../../src/envelope/busbar.js';
import { BusbarError } from '../../../src/base/errors.js';
import { Heap } from '../../../src/base/heap.js';
import type { Instant } from '../../engine/time.js';
import type { Emission } from '../emission.js';
import type { Pulled, Sending, Source } from '../source.js';
import { damages, type FaultParameters } from './damage.js';
import { type Decisions, decisions, type FaultMask } from './decide.js';
import { type Moves, moves } from './move.js';
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
  /** A promise where it has to be waited for before more is added; with `all` nothing is left to be written. */
  flush(all?: boolean): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface InjectOptions {
  readonly seed: number;
  readonly settings: FaultSettings;
  /** Settings that take over at a virtual instant, in order; more may come in while the run is under way. */
  readonly switched?: readonly { readonly at: Instant; readonly settings: FaultSettings }[];
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
  const { seed, catalogue, mask, ledger, switched = [] } = options;
  const heldUntil = new Map<string, Instant>();
  const phase = (settings: FaultSettings): Phase => {
    const decided = decisions(seed, settings);
    return { settings, decided, move: moves(settings, decided, mask, heldUntil) };
  };
  const initial = phase(options.settings);
  const later = new Map<FaultSettings, Phase>();
  const phaseAt = (at: Instant): Phase => {
    const settings = switched.findLast((each) => each.at <= at)?.settings;
    if (settings === undefined) return initial;
    let found = later.get(settings);
    if (found === undefined) later.set(settings, (found = phase(settings)));
    return found;
  };
  const isQuiet = Object.keys(options.settings.rates).length === 0;
  const faults = new Map<string, number>();
  const waiting = new Heap<Waiting>(earlier);
  let size = 0;
  let taken = 0;
  /** Everything that is due until then has been read from the source. */
  let horizon: Instant = -Infinity;
  let isOver = false;

  function take({ emissions, at }: Sending): void {
    horizon = at;
    for (const emission of emissions) inject(emission);
  }

  function inject(original: Emission): void {
    const { id } = original.envelope;
    const { decided, move } = phaseAt(original.at);
    const happens = (fault: FaultName, id: string) =>
      decided.happens(fault, id) && (mask === undefined || mask(fault, id));
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
  function release(until: Instant): Sending | undefined {
    const earliest = waiting.peek();
    if (earliest === undefined || earliest.at > until) return undefined;
    const { at } = earliest;
    const occurrence = occurrenceOf(earliest.emission);
    const emissions: Emission[] = [];
    for (
      let next: Waiting | undefined = earliest;
      next?.at === at && occurrenceOf(next.emission) === occurrence;
      next = waiting.peek()
    ) {
      waiting.pop();
      emissions.push(next.emission);
      initial.move.sent(next.emission.key, at);
    }
    size -= emissions.length;
    return { at, emissions };
  }

  function next(limit: Instant = Infinity): Pulled | Promise<Pulled> {
    if (isQuiet && size === 0 && switched.length === 0) return source.next(limit);
    for (let turns = 1; ; turns++) {
      // Where everything is dropped or held back, the process must still hear of signals and sockets.
      if (turns % 1000 === 0) return new Promise(setImmediate).then(() => next(limit));
      const flushed = ledger?.flush();
      if (flushed !== undefined) return flushed.then(() => next(limit));
      const released = release(horizon);
      if (released !== undefined || isOver) return released;
      const pulled = source.next(limit);
      if (pulled instanceof Promise) return pulled.then((read) => advance(read, limit) ?? next(limit));
      const answer = advance(pulled, limit);
      if (answer !== undefined) return answer;
    }
  }

  /** Takes in what was read; where that is nothing for now, answers what has waited for it, or when that will be. */
  function advance(pulled: Pulled, limit: Instant): Pulled {
    if (pulled === undefined) {
      isOver = true;
      horizon = Infinity;
    } else if ('idleUntil' in pulled) {
      const { idleUntil } = pulled;
      // Only what is due by now: what comes in next may come before the rest.
      const released = release(Math.min(limit, idleUntil - 1));
      return released ?? { idleUntil: Math.min(idleUntil, waiting.peek()?.at ?? Infinity) };
    } else take(pulled);
    return undefined;
  }

  return {
    next,
    faults,
    branches: source.branches,
    flush: () => ledger?.flush(true),
    async close() {
      await source.close();
      await ledger?.close();
    },
  };
}

/** A time with the same settings. */
interface Phase {
  readonly settings: FaultSettings;
  readonly decided: Decisions;
  readonly move: Moves;
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

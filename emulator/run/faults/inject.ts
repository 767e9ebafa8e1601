import { envelopeHeaders } from 'busbar';
import { BusbarError, Heap, matcherOf, memoized } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { Instant } from '../../engine/time.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { PullResult, SourceItem, Source } from '../source.js';
import { corruptions, type FaultParameters } from './corrupt.js';
import { decisions, type FaultMask } from './decide.js';
import type { FaultLog } from './fault-log.js';
import { planReordering } from './reorder.js';
import type { FaultName, FaultSettings } from './settings.js';

interface InjectOptions {
  readonly seed: number;
  readonly settings: FaultSettings;
  /** Later settings with their virtual instants, in order. Inputs may add more during the run. */
  readonly laterSettings: readonly { readonly at: Instant; readonly settings: FaultSettings }[];
  /** Catalogue that decides which payloads are valid and which names exist. */
  readonly catalogue: Catalogue;
  readonly mask?: FaultMask;
  readonly log?: FaultLog;
}

/** Maximum number of delayed events. */
const capacity = 100_000;

/**
 * Injects faults into the events of a source. Delayed events wait, ordered by their new virtual time. Events of one key stay
 * in order unless a setting says otherwise. Only the fault `drop` loses events.
 * @throws BusbarError `capacity-exceeded` if more than 100,000 events wait.
 */
export function injectFaults(source: Source, options: InjectOptions): Source {
  const { seed, catalogue, mask = () => true, log, laterSettings } = options;
  /** Instants until which the events of a key wait for an earlier one. */
  const heldUntil = new Map<string, Instant>();
  const phaseOf = memoized((settings: FaultSettings) => {
    const decided = decisions(seed, settings);
    const isChosen = settings.only === undefined ? () => true : matcherOf(settings.only);
    return { decided, isChosen, sentAt: planReordering(settings, decided, mask, heldUntil) };
  });
  const settingsAt = (at: Instant): FaultSettings =>
    laterSettings.findLast((each) => each.at <= at)?.settings ?? options.settings;
  const isQuiet = Object.keys(options.settings.rates).length === 0;
  const faults = new Map<string, number>();
  const waiting = new Heap<Waiting>(earlier);
  let count = 0;
  /** Instant up to which the source has been read. */
  let horizon: Instant = -Infinity;
  let isOver = false;

  function accept({ emissions, at }: SourceItem): void {
    horizon = at;
    for (const emission of emissions) inject(emission);
  }

  function inject(original: OutgoingEvent): void {
    const { id, event_type: type, version } = original.envelope;
    const { decided, isChosen, sentAt } = phaseOf(settingsAt(original.at));
    const isHit = isChosen(type) || isChosen(`${type}-${version}`);
    const happens = (fault: FaultName, id: string) => isHit && decided.happens(fault, id) && mask(fault, id);
    const done: FaultName[] = [];
    const note = (fault: FaultName, parameters: FaultParameters) => {
      done.push(fault);
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
      log?.add({ event: id, fault, parameters });
    };
    if (happens('drop', id)) {
      note('drop', {});
      return;
    }
    let emission = original;
    for (const fault of corruptionNames) {
      if (!happens(fault, id)) continue;
      const corrupted = corruptions[fault](emission, catalogue, decided);
      if (corrupted === undefined) continue;
      ({ emission } = corrupted);
      note(fault, corrupted.parameters);
    }
    const isDoubled = happens('duplicate', id);
    const at = sentAt(original, happens, note);
    emission = { ...emission, faults: [...done], ...(at !== original.at && { sentAt: at }) };
    wait(emission, at);
    if (!isDoubled) return;
    note('duplicate', { copies: 1 });
    wait({ ...emission, faults: [...done] }, at);
  }

  function wait(emission: OutgoingEvent, at: Instant): void {
    if (waiting.size >= capacity) {
      const message = `More than ${capacity} delayed events. Set shorter times or smaller shares for "delay", "reorder" and "burst".`;
      throw new BusbarError('capacity-exceeded', message);
    }
    waiting.push({ at, nth: count++, emission });
  }

  /** Forgets the instant of a key with no delayed events. */
  function forget(key: string, at: Instant): void {
    if ((heldUntil.get(key) ?? Infinity) <= at) heldUntil.delete(key);
  }

  /** Returns the next due events of one occurrence. */
  function release(until: Instant): SourceItem | undefined {
    const earliest = waiting.peek();
    if (earliest === undefined || earliest.at > until) return undefined;
    const { at } = earliest;
    const occurrence = occurrenceOf(earliest.emission);
    const emissions: OutgoingEvent[] = [];
    for (
      let next: Waiting | undefined = earliest;
      next?.at === at && occurrenceOf(next.emission) === occurrence;
      next = waiting.peek()
    ) {
      waiting.pop();
      emissions.push(next.emission);
      forget(next.emission.key, at);
    }
    return { at, emissions };
  }

  function next(limit: Instant = Infinity): PullResult | Promise<PullResult> {
    if (isQuiet && laterSettings.length === 0) return source.next(limit);
    for (let turns = 1; ; turns++) {
      // If every event is dropped or delayed, the process must still handle signals and sockets.
      if (turns % 1000 === 0) return new Promise(setImmediate).then(() => next(limit));
      const flushed = log?.flush();
      if (flushed !== undefined) return flushed.then(() => next(limit));
      const released = release(horizon);
      if (released !== undefined || isOver) return released;
      const pulled = source.next(limit);
      if (pulled instanceof Promise) return pulled.then((read) => advance(read, limit) ?? next(limit));
      const result = advance(pulled, limit);
      if (result !== undefined) return result;
    }
  }

  /** Accepts a result of the source. If the source idles, returns due events, or the instant of the next. */
  function advance(pulled: PullResult, limit: Instant): PullResult {
    if (pulled === undefined) {
      isOver = true;
      horizon = Infinity;
    } else if ('idleUntil' in pulled) {
      const { idleUntil } = pulled;
      // Releases only due events: an input may come before the rest.
      const released = release(Math.min(limit, idleUntil - 1));
      return released ?? { idleUntil: Math.min(idleUntil, waiting.peek()?.at ?? Infinity) };
    } else accept(pulled);
    return undefined;
  }

  return {
    next,
    faults,
    branches: source.branches,
    flush: () => log?.flush(true),
    async close() {
      await source.close();
      await log?.close();
    },
  };
}

const corruptionNames = Object.keys(corruptions) as (keyof typeof corruptions)[];

interface Waiting {
  readonly at: Instant;
  /** Order among events of one instant. */
  readonly nth: number;
  readonly emission: OutgoingEvent;
}

function earlier(one: Waiting, other: Waiting): boolean {
  return one.at === other.at ? one.nth < other.nth : one.at < other.at;
}

function occurrenceOf({ headers, envelope }: OutgoingEvent): string {
  return headers[envelopeHeaders.occurrence] ?? envelope.id;
}

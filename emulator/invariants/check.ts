import { Heap, listOf, objectWith, type OptionTable, readOptions, whole } from 'busbar/base';
import { BoundedMap } from './bounded-map.js';
import { invariants as all } from './index.js';
import type { Finding, Invariant, StreamEvent, Watch } from './invariant.js';
import { occurred } from './payload.js';
import type { Truth } from './truth.js';

/** A violation of an invariant. */
export interface Violation {
  readonly invariant: string;
  readonly eventId: string;
  /** Catalogue name: `<event type>-<version>`. */
  readonly event: string;
  /** Kind and identifier of the entity. Never contains personal data. */
  readonly entity: string;
  /** The problem, without payload values. */
  readonly what: string;
}

/** Options of {@link startCheck}. */
export interface CheckOptions {
  /** Default: all built-in invariants. */
  readonly invariants?: readonly Invariant[];
  /** The ground truth. Default none: invariants that need it are skipped. */
  readonly truth?: Truth;
  /** Number of events to buffer for sorting by time of occurrence. Default 20,000. */
  readonly held?: number;
}

/** A check of one stream. Its memory is bounded. */
export interface Check {
  /** Names of the checked invariants. */
  readonly checked: readonly string[];
  /** Names of the invariants that are skipped because they need the ground truth. */
  readonly skipped: readonly string[];
  /** Adds an event. Returns the violations found by it, which can concern earlier events. */
  see(event: StreamEvent): Violation[];
  /**
   * Ends the stream and returns the remaining violations.
   * @param complete Whether all processes in the stream have ended. Default false.
   */
  end(complete?: boolean): Violation[];
}

const checkOptions = {
  invariants: { type: listOf(objectWith('an invariant')), default: all },
  truth: { type: objectWith('made by groundTruthOf()') },
  held: { type: whole({ from: 0 }), default: 20_000 },
} satisfies OptionTable<CheckOptions>;

/**
 * Starts validating a stream against the invariants. Repeated event ids count once, and events are sorted by time of
 * occurrence. Types of events that the stream lacks may have been filtered out: their absence violates no invariant.
 *
 * @throws BusbarError `invalid-option`
 */
export function startCheck(options: CheckOptions = {}): Check {
  const { invariants, truth, held } = readOptions('startCheck()', checkOptions, options);
  const watches: { readonly name: string; readonly watch: Watch }[] = [];
  const skipped: string[] = [];
  for (const invariant of invariants) {
    const { name } = invariant;
    if (invariant.proof === 'stream') watches.push({ name, watch: invariant.start() });
    else if (truth !== undefined) watches.push({ name, watch: invariant.start(truth) });
    else skipped.push(name);
  }
  const seen = new BoundedMap<true>();
  const waiting = new Heap<Waiting>(earlier);
  const carried = new Set<string>();
  const carries = (type: string) => carried.has(type);
  /** Findings that hold only if no events were filtered out. */
  let doubtful: { readonly name: string; readonly finding: Finding }[] = [];

  function judge(name: string, findings: readonly Finding[]): Violation[] {
    return findings.flatMap((finding) => {
      if (finding.certain?.(carries) !== false) return [violation(name, finding)];
      if (doubtful.length < maxDoubtful) doubtful.push({ name, finding });
      return [];
    });
  }

  function release(): Violation[] {
    const next = waiting.pop();
    if (next === undefined) return [];
    truth?.reach?.(next.at);
    return watches.flatMap(({ name, watch }) => judge(name, watch.see(next.event)));
  }

  function carry(type: string): Violation[] {
    if (carried.has(type)) return [];
    carried.add(type);
    const again = doubtful;
    doubtful = [];
    return again.flatMap(({ name, finding }) => judge(name, [finding]));
  }

  return {
    checked: watches.map(({ name }) => name),
    skipped,
    see(event) {
      if (seen.get(event.id)) return [];
      seen.set(event.id, true);
      const settled = carry(event.type);
      waiting.push({ event, at: occurred(event) });
      return waiting.size > held ? [...settled, ...release()] : settled;
    },
    end(complete = false) {
      const found: Violation[] = [];
      while (waiting.size > 0) found.push(...release());
      for (const { name, watch } of watches) found.push(...judge(name, watch.end?.(complete) ?? []));
      return found;
    },
  };
}

/** Maximum number of uncertain findings. */
const maxDoubtful = 10_000;

interface Waiting {
  readonly event: StreamEvent;
  readonly at: number;
}

function earlier(a: Waiting, b: Waiting): boolean {
  return a.at === b.at ? a.event.id < b.event.id : a.at < b.at;
}

function violation(invariant: string, { event, entity, what }: Finding): Violation {
  return { invariant, eventId: event.id, event: `${event.type}-${event.version}`, entity, what };
}

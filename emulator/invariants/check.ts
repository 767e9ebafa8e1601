import { listOf, objectWith, type OptionTable, readOptions, whole } from '../../src/base/options.js';
import { Heap } from '../../src/base/heap.js';
import { invariants as all } from './index.js';
import type { Finding, Invariant, StreamEvent, Watch } from './invariant.js';
import { occurred } from './payload.js';
import type { Truth } from './truth.js';

/** An invariant that a stream does not keep. */
export interface Violation {
  readonly invariant: string;
  readonly eventId: string;
  /** Catalogue name: `<event type>-<version>`. */
  readonly event: string;
  /** Kind and identifier of what it is about; never personal data. */
  readonly entity: string;
  readonly what: string;
}

export interface CheckOptions {
  /** Default: all of them. */
  readonly invariants?: readonly Invariant[];
  /** What only the world knows. Default: nothing, and the invariants that need it are skipped. */
  readonly truth?: Truth;
  /** Events that are held to put them in the order in which they occurred. Default 20,000. */
  readonly held?: number;
}

/** A stream being checked. What it holds is bounded, however long the stream is. */
export interface Check {
  /** Names of the invariants that the stream is held against, and of those that need to know the world. */
  readonly checked: readonly string[];
  readonly skipped: readonly string[];
  /** Takes the next event and tells what is found out by it, which can be about earlier ones. */
  see(event: StreamEvent): Violation[];
  /** `complete` (default false): everything that had begun in the stream has come to its end in it. */
  end(complete?: boolean): Violation[];
}

const checkOptions = {
  invariants: { type: listOf(objectWith('an invariant')), default: all },
  truth: { type: objectWith('made by truthOf()') },
  held: { type: whole({ from: 0 }), default: 20_000 },
} satisfies OptionTable<CheckOptions>;

/**
 * Holds a stream against the invariants. An event that comes again, with the id that it had, counts once; events that
 * overtook each other are put in order first; what the stream has no events of may have been filtered out, and nothing
 * follows from its absence.
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
  const isRepeated = recentIds();
  const waiting = new Heap<Waiting>(earlier);
  let count = 0;
  const carried = new Set<string>();
  const carries = (type: string) => carried.has(type);
  /** What is wrong unless events were filtered out. */
  let doubtful: { readonly name: string; readonly finding: Finding }[] = [];

  function judge(name: string, findings: readonly Finding[]): Violation[] {
    return findings.flatMap((finding) => {
      if (finding.certain?.(carries) !== false) return [violation(name, finding)];
      if (doubtful.length < mostDoubtful) doubtful.push({ name, finding });
      return [];
    });
  }

  function release(): Violation[] {
    const next = waiting.pop();
    if (next === undefined) return [];
    count--;
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
      if (isRepeated(event.id)) return [];
      const settled = carry(event.type);
      waiting.push({ event, at: occurred(event) });
      return ++count > held ? [...settled, ...release()] : settled;
    },
    end(complete = false) {
      const found: Violation[] = [];
      while (count > 0) found.push(...release());
      for (const { name, watch } of watches) found.push(...judge(name, watch.end?.(complete) ?? []));
      return found;
    },
  };
}

/** More than these are not kept: what is wrong that often shows elsewhere. */
const mostDoubtful = 10_000;

interface Waiting {
  readonly event: StreamEvent;
  readonly at: number;
}

function earlier(a: Waiting, b: Waiting): boolean {
  return a.at === b.at ? a.event.id < b.event.id : a.at < b.at;
}

/** Answers whether an id was among the last hundred thousand or two. */
function recentIds(): (id: string) => boolean {
  const most = 100_000;
  let recent = new Set<string>();
  let older = new Set<string>();
  return (id) => {
    if (recent.has(id) || older.has(id)) return true;
    recent.add(id);
    if (recent.size >= most) [older, recent] = [recent, new Set()];
    return false;
  };
}

function violation(invariant: string, { event, entity, what }: Finding): Violation {
  return { invariant, eventId: event.id, event: `${event.type}-${event.version}`, entity, what };
}

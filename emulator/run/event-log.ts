import type { Sink } from '../sinks/sink.js';
import type { Emission } from './emission.js';
import type { Input } from './inputs.js';

/** Something that has happened: an event was sent, something came in, or somebody left a note. */
export type LogEntry =
  | { readonly kind: 'event'; readonly emission: Emission }
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'note'; readonly about: string; readonly text: string };

export interface LogPage {
  readonly entries: readonly (LogEntry & { readonly cursor: number })[];
  /** What to ask for next: `after` this. */
  readonly cursor: number;
  /** How many entries after the cursor asked for have been forgotten. */
  readonly missed: number;
}

/** The last things that have happened, numbered from 1. It is a sink, too. */
export interface EventLog extends Sink {
  add(entry: LogEntry): void;
  /** What came after the cursor, the oldest first, at most `limit`. */
  after(cursor: number, limit: number, isWanted?: (entry: LogEntry) => boolean): LogPage;
}

/** What is kept: so many entries, and bytes of events. */
export interface LogBounds {
  readonly entries: number;
  readonly bytes: number;
}

const usual: LogBounds = { entries: 10_000, bytes: 16 * 1024 * 1024 };

export function eventLog(bounds: LogBounds = usual): EventLog {
  let kept: LogEntry[] = [];
  /** Of those in front that are forgotten; they are cut off many at a time. */
  let gone = 0;
  let bytes = 0;
  /** The cursor of `kept[0]`. */
  let first = 1;
  const sizeOf = (entry: LogEntry | undefined) =>
    entry?.kind === 'event' ? entry.emission.bytes.length : 100;

  function add(entry: LogEntry): void {
    kept.push(entry);
    bytes += sizeOf(entry);
    while (kept.length - gone > bounds.entries || (bytes > bounds.bytes && kept.length - gone > 1)) {
      bytes -= sizeOf(kept[gone++]);
    }
    if (gone < bounds.entries) return;
    kept = kept.slice(gone);
    first += gone;
    gone = 0;
  }

  return {
    name: 'event-log',
    add,
    write(emissions) {
      for (const emission of emissions) add({ kind: 'event', emission });
    },
    end: () => undefined,
    close: () => Promise.resolve(),
    after(cursor, limit, isWanted = () => true) {
      const oldest = first + gone;
      const entries: (LogEntry & { readonly cursor: number })[] = [];
      let at = Math.max(cursor + 1, oldest);
      for (; at < first + kept.length && entries.length < limit; at++) {
        const entry = kept[at - first];
        if (entry !== undefined && isWanted(entry)) entries.push({ ...entry, cursor: at });
      }
      return { entries, cursor: at - 1, missed: Math.max(0, oldest - cursor - 1) };
    },
  };
}

import type { Sink } from './sink.js';
import type { OutgoingEvent } from './outgoing-event.js';
import type { Input } from './inputs.js';

/** An entry of the log: a sent event, an input, or a note. */
export type LogEntry =
  | { readonly kind: 'event'; readonly emission: OutgoingEvent }
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'note'; readonly about: string; readonly text: string };

/** Entries after a cursor. */
export interface LogPage {
  readonly entries: readonly (LogEntry & { readonly cursor: number })[];
  /** Cursor of the next request. */
  readonly cursor: number;
  /** Number of dropped entries after the requested cursor. */
  readonly missed: number;
}

/** Sink of the most recent events, inputs and notes, numbered from 1. */
export interface EventLog extends Sink {
  add(entry: LogEntry): void;
  /** Returns up to `limit` entries after the cursor, the oldest first. */
  after(cursor: number, limit: number, isWanted?: (entry: LogEntry) => boolean): LogPage;
}

/** Maximum number of entries, and of bytes of events. */
const bounds = { entries: 10_000, bytes: 16 * 1024 * 1024 };

export function eventLog(): EventLog {
  let kept: LogEntry[] = [];
  /** Number of dropped entries at the front of `kept`, which is cut in large steps. */
  let dropped = 0;
  let bytes = 0;
  /** Cursor of `kept[0]`. */
  let first = 1;
  const sizeOf = (entry: LogEntry | undefined) =>
    entry?.kind === 'event' ? entry.emission.bytes.length : 100;

  function add(entry: LogEntry): void {
    kept.push(entry);
    bytes += sizeOf(entry);
    while (kept.length - dropped > bounds.entries || (bytes > bounds.bytes && kept.length - dropped > 1)) {
      bytes -= sizeOf(kept[dropped++]);
    }
    if (dropped < bounds.entries) return;
    kept = kept.slice(dropped);
    first += dropped;
    dropped = 0;
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
      const oldest = first + dropped;
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

import type { Idle, TimedOccurrence } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { OutgoingEvent } from './outgoing-event.js';
import type { Encoder } from './encode.js';

/** Events that are sent together at one virtual instant: the versions of an occurrence, or a line of a recording. */
export interface SourceItem {
  readonly at: Instant;
  readonly emissions: readonly OutgoingEvent[];
}

/** Next events of a source, {@link Idle} while it waits for inputs, or undefined at its end. */
export type PullResult = SourceItem | Idle | undefined;

/** Events of a run in order of sending, which the run reads only as fast as its sinks accept them. */
export interface Source {
  /**
   * Returns the next events, as a promise only if the source must wait. A source with inputs reads no further than `limit`,
   * and others ignore it. Default: no limit.
   */
  next(limit?: Instant): PullResult | Promise<PullResult>;
  /** Number of faults so far, by name. */
  readonly faults: ReadonlyMap<string, number>;
  /** Number of outcomes so far, by name: `house-move occupier=unknown`. Empty for a replay. */
  readonly branches: ReadonlyMap<string, number>;
  /** Writes pending output, such as the fault log, after all events so far are sent. */
  flush?(): void | Promise<void>;
  /** Frees the source. The run calls it once, at its end. */
  close(): void | Promise<void>;
}

/** Returns a source that encodes occurrences. @param live Receives the limit of each read. */
export function occurring(
  occurrences: Iterable<TimedOccurrence | Idle>,
  encode: Encoder,
  branches: ReadonlyMap<string, number> = new Map(),
  live?: { allow(limit: Instant): void },
): Source {
  const iterator = occurrences[Symbol.iterator]();
  return {
    faults: new Map(),
    branches,
    next(limit = Infinity) {
      live?.allow(limit);
      const read = iterator.next();
      if (read.done === true) return undefined;
      if ('idleUntil' in read.value) return read.value;
      const { at } = read.value;
      const emissions = encode(read.value);
      if (emissions instanceof Promise) return emissions.then((encoded) => ({ at, emissions: encoded }));
      return { at, emissions };
    },
    close() {
      iterator.return?.();
    },
  };
}

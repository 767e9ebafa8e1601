import type { Idle, Occurred } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Emission } from './emission.js';
import type { Encoder } from './encode.js';

/** What is sent at one instant of virtual time: the versions of an occurrence, or a line of a recording. */
export interface Sending {
  readonly at: Instant;
  readonly emissions: readonly Emission[];
}

/** What comes next; nothing for now, where more can come in from outside; undefined when there is no more. */
export type Pulled = Sending | Idle | undefined;

/** Where a run takes what it sends from, in order of sending. Read only as fast as the sinks take it. */
export interface Source {
  /**
   * What comes next. A promise only where it has to wait. A source that something can come into answers nothing that
   * comes after `limit` (default: no limit), and has not looked beyond; others need not mind it.
   */
  next(limit?: Instant): Pulled | Promise<Pulled>;
  /** How often each fault was done to what has been read so far. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often each outcome was taken, `house-move occupier=unknown`, as far as it is known. */
  readonly branches: ReadonlyMap<string, number>;
  /** Called when everything so far has been sent: what is kept beside goes to its file. */
  flush?(): void | Promise<void>;
  /** Called once, when the run is over, however it ended. */
  close(): void | Promise<void>;
}

/** What occurs, encoded. `branches` is counted by whoever plays the scenarios, and `live` says how far they are let. */
export function occurring(
  occurrences: Iterable<Occurred | Idle>,
  encode: Encoder,
  branches: ReadonlyMap<string, number> = new Map(),
  live?: { limit: Instant },
): Source {
  const iterator = occurrences[Symbol.iterator]();
  return {
    faults: new Map(),
    branches,
    next(limit = Infinity) {
      if (live !== undefined) live.limit = limit;
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

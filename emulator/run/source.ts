import type { Occurred } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Emission } from './emission.js';
import type { Encoder } from './encode.js';

/** What is sent at one instant of virtual time: the versions of an occurrence, or a line of a recording. */
export interface Sending {
  readonly at: Instant;
  readonly emissions: readonly Emission[];
}

/** Where a run takes what it sends from, in order of sending. Read only as fast as the sinks take it. */
export interface Source {
  /** What comes next; undefined when there is no more. A promise only where it has to wait. */
  next(): Sending | undefined | Promise<Sending | undefined>;
  /** How often each fault was done to what has been read so far. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often each outcome was taken, `house-move occupier=unknown`, as far as it is known. */
  readonly branches: ReadonlyMap<string, number>;
  /** Called once, when the run is over, however it ended. */
  close(): void | Promise<void>;
}

/** What occurs, encoded. `branches` is counted by whoever plays the scenarios. */
export function occurring(
  occurrences: Iterable<Occurred>,
  encode: Encoder,
  branches: ReadonlyMap<string, number> = new Map(),
): Source {
  const iterator = occurrences[Symbol.iterator]();
  return {
    faults: new Map(),
    branches,
    next() {
      const read = iterator.next();
      if (read.done === true) return undefined;
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

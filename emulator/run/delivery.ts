import { BusbarError } from '../../src/base/errors.js';
import { formatInstant, type Instant } from '../engine/time.js';
import type { Sink } from '../sinks/sink.js';
import type { Emission } from './emission.js';
import { unlessAborted } from './gate.js';

/** The way from a run to its sinks, in batches, counted. */
export interface Delivery {
  readonly isFull: boolean;
  readonly counts: Counts;
  add(emissions: readonly Emission[]): void;
  /** Sends what was added. @throws BusbarError of a sink that gives up, which says how far the run has got. */
  flush(): Promise<void>;
  /** Has every sink make sure of what it got. */
  end(): Promise<void>;
}

export interface Counts {
  readonly events: number;
  readonly first: Instant | undefined;
  readonly last: Instant | undefined;
  readonly byType: ReadonlyMap<string, number>;
  readonly bySink: readonly { readonly name: string; readonly events: number }[];
}

/** Emissions are written together up to this number, unless a sink asks for another. */
const defaultBatchSize = 256;

export function delivery(
  { sinks, afterFailure }: { readonly sinks: readonly Sink[]; readonly afterFailure?: string },
  signal: AbortSignal,
): Delivery {
  const sizes = sinks.map((sink) => sink.batchSize).filter((size) => size !== undefined);
  const batchSize = sizes.length === 0 ? defaultBatchSize : Math.min(...sizes);
  const byType = new Map<string, number>();
  const bySink = sinks.map(({ name }) => ({ name, events: 0 }));
  let batch: Emission[] = [];
  let events = 0;
  let first: Instant | undefined;
  let last: Instant | undefined;

  /** What a sink gives up with says how far the run has got, and how to go on. */
  async function sending(work: () => void | Promise<void>): Promise<void> {
    try {
      const written = work();
      if (written !== undefined) await unlessAborted(written, signal);
    } catch (error) {
      if (!(error instanceof BusbarError) || signal.aborted) throw error;
      const reached =
        last === undefined ? 'nothing was sent' : `it got to virtual time ${formatInstant(last)}`;
      const far = `The run ends after ${events} ${events === 1 ? 'event' : 'events'}: ${reached}.`;
      const message = [error.message, far, afterFailure].filter((part) => part !== undefined);
      throw new BusbarError(error.code, message.join(' '), { cause: error });
    }
  }

  return {
    get isFull() {
      return batch.length >= batchSize;
    },
    get counts() {
      return { events, first, last, byType, bySink };
    },
    add(emissions) {
      batch.push(...emissions);
    },
    async flush() {
      const emissions = batch;
      if (emissions.length === 0) return;
      batch = [];
      for (const [index, sink] of sinks.entries()) {
        await sending(() => sink.write(emissions));
        const taken = bySink[index];
        if (taken !== undefined) taken.events += emissions.length;
      }
      for (const { envelope, at, sentAt = at } of emissions) {
        events++;
        first ??= sentAt;
        last = sentAt;
        byType.set(envelope.event_type, (byType.get(envelope.event_type) ?? 0) + 1);
      }
      // A run that never waits for anything must still let sockets be served.
      await new Promise(setImmediate);
    },
    async end() {
      for (const sink of sinks) await sending(() => sink.end());
    },
  };
}

import { BusbarError, reworded, untilAborted } from 'busbar/base';
import { formatInstant, type Instant } from '../engine/time.js';
import type { Sink } from './sink.js';
import type { OutgoingEvent } from './outgoing-event.js';

export type Delivery = ReturnType<typeof delivery>;

/** Maximum events of a batch, unless a sink sets another. */
const defaultBatchSize = 256;

/** Returns a delivery of events to the sinks of a run, in batches, with counts. */
export function delivery(
  { sinks, afterFailure }: { readonly sinks: readonly Sink[]; readonly afterFailure?: string },
  signal: AbortSignal,
) {
  const sizes = sinks.map((sink) => sink.batchSize).filter((size) => size !== undefined);
  const batchSize = sizes.length === 0 ? defaultBatchSize : Math.min(...sizes);
  const byType = new Map<string, number>();
  const bySink = sinks.map(({ name }) => ({ name, events: 0 }));
  let batch: OutgoingEvent[] = [];
  let events = 0;
  let first: Instant | undefined;
  let last: Instant | undefined;

  /** Adds the progress of the run, and how to resume it, to the error of a sink. */
  async function withProgress(work: () => void | Promise<void>): Promise<void> {
    try {
      const written = work();
      if (written !== undefined) await untilAborted(written, signal);
    } catch (error) {
      if (!(error instanceof BusbarError) || signal.aborted) throw error;
      const reached = last === undefined ? '' : `, at virtual time ${formatInstant(last)}`;
      const far = `The run ends after ${events} ${events === 1 ? 'event' : 'events'}${reached}.`;
      throw reworded(error, (message) =>
        [message, far, afterFailure].filter((part) => part !== undefined).join(' '),
      );
    }
  }

  return {
    get isFull() {
      return batch.length >= batchSize;
    },
    get counts() {
      return { events, first, last, byType, bySink };
    },
    add(emissions: readonly OutgoingEvent[]): void {
      batch.push(...emissions);
    },
    /** Sends the added events. @throws BusbarError of a failed sink, with the progress of the run */
    async flush(): Promise<void> {
      const emissions = batch;
      if (emissions.length === 0) return;
      batch = [];
      for (const [index, sink] of sinks.entries()) {
        await withProgress(() => sink.write(emissions));
        const count = bySink[index];
        if (count !== undefined) count.events += emissions.length;
      }
      for (const { envelope, at, sentAt = at } of emissions) {
        events++;
        first ??= sentAt;
        last = sentAt;
        byType.set(envelope.event_type, (byType.get(envelope.event_type) ?? 0) + 1);
      }
      // A run that never waits must still serve sockets.
      await new Promise(setImmediate);
    },
    /** Ends every sink, which confirms its events. */
    async end(): Promise<void> {
      for (const sink of sinks) await withProgress(() => sink.end());
    },
  };
}

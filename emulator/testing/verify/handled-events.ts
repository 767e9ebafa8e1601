import { BusbarError, virtualClock } from 'busbar/base';
import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { memory, type MemoryRecord } from 'busbar/internal/memory';
import { type RunnableConsumer, VirtualRun } from '../virtual-run.js';
import type { RecordEncoder } from '../../run/in-envelope.js';
import { type Delivery, recordOf, sentEvent, untouched } from './delivery.js';
import type { SampleSource } from './sample-deliveries.js';

/**
 * Finds the events that the consumer handles, without calling a handler. Events that it skips by name are excluded
 * first: sampling every event of the catalogue takes longer than most verifications.
 */
export async function eventsHandledBy(
  consumer: RunnableConsumer,
  catalogue: Catalogue,
  samples: SampleSource,
  inEnvelope: RecordEncoder,
): Promise<CatalogueEvent[]> {
  const about = { nth: 0, at: 0, key: null, cell: 0 };
  const settle = (deliveries: readonly Delivery[]) =>
    settledBy(
      consumer,
      deliveries.map((each) => inEnvelope(recordOf(each))),
    );
  const nameless = await settle(
    catalogue.events.map((event, nth) => untouched(sentEvent(event, null, { ...about, id: String(nth) }))),
  );
  const wanted = catalogue.events.filter((_event, nth) => nameless.get(String(nth)) !== 'unhandled');
  const outcomes = await settle(wanted.map((event) => samples.anyOf(event)));
  const handled = wanted.filter((event) => outcomes.get(samples.anyOf(event).sent.id) === 'handled');
  if (handled.length > 0) return handled;
  const hint = 'Pass its wire format as "envelope", and your own events as "catalogue".';
  throw new BusbarError('no-handlers', `The consumer handles no event of the catalogue. ${hint}`);
}

/** Returns `handled` or the reason against it, by event id. A policy may end the run before the last event. */
async function settledBy(
  consumer: RunnableConsumer,
  records: readonly MemoryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const clock = virtualClock();
  const transport = memory({ clock });
  transport.send(...records);
  const run = new VirtualRun({
    consumer,
    transport,
    clock,
    random: () => 0,
    handlerTimeout: 60_000,
    observers: [{ around: () => undefined }],
  });
  try {
    await run.quiet();
  } catch (error) {
    if (error instanceof BusbarError && error.kind === 'usage') throw error;
  }
  await run.stop();
  return new Map(run.outcomes.map(({ id = '', outcome, reason }) => [id, reason ?? outcome]));
}

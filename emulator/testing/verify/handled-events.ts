import type { Catalogue, CatalogueEvent } from '../../../catalogue/index.js';
import { virtualClock } from '../../../src/base/clock.js';
import { BusbarError } from '../../../src/base/errors.js';
import { silentLogger } from '../../../src/base/logger.js';
import { memory } from '../../../src/transports/memory.js';
import { type RunnableConsumer, VirtualRun } from '../virtual-run.js';
import { type Delivery, recordOf, sentEvent, untouched } from './delivery.js';
import type { SampleSource } from './sample-deliveries.js';

/**
 * Asks the consumer itself; no handler is called. What it skips by the name alone is sorted out first, since to make a
 * sample of every event that there is takes longer than most verifications.
 */
export async function eventsHandledBy(
  consumer: RunnableConsumer,
  catalogue: Catalogue,
  samples: SampleSource,
): Promise<CatalogueEvent[]> {
  const about = { nth: 0, at: 0, key: null, cell: 0 };
  // No JSON: nobody goes on to explain what is wrong with a payload.
  const bytes = Buffer.from('{');
  const nameless = await settledBy(
    consumer,
    catalogue.events.map((event, nth) =>
      untouched({ ...sentEvent(event, null, { ...about, id: String(nth) }), bytes }),
    ),
  );
  const wanted = catalogue.events.filter((_event, nth) => nameless.get(String(nth)) !== 'unhandled');
  const outcomes = await settledBy(
    consumer,
    wanted.map((event) => samples.anyOf(event)),
  );
  const handled = wanted.filter((event) => outcomes.get(samples.anyOf(event).sent.id) === 'handled');
  if (handled.length > 0) return handled;
  const hint = 'Events come in the default wire format; give events of your own by "catalogue".';
  throw new BusbarError('no-handlers', `The consumer handles no event of the catalogue. ${hint}`);
}

/** What becomes of each event, by its id: `handled`, or why not. A policy may end the run before the last. */
async function settledBy(
  consumer: RunnableConsumer,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, string>> {
  const clock = virtualClock();
  const transport = memory({ clock });
  transport.send(...deliveries.map(recordOf));
  const run = new VirtualRun({
    consumer,
    transport,
    clock,
    random: () => 0,
    logger: silentLogger,
    patience: 60_000,
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

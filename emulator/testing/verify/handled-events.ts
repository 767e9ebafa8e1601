import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { type Delivery, sentEvent, untouched } from './delivery.js';
import { exercise, type ExerciseParts } from './exercise.js';
import type { SampleSource } from './sample-deliveries.js';

/**
 * Finds the events that the consumer handles, without calling a handler. Events that it skips by name are excluded
 * first: sampling every event of the catalogue takes longer than most verifications.
 */
export async function eventsHandledBy(
  parts: ExerciseParts,
  catalogue: Catalogue,
  samples: SampleSource,
): Promise<CatalogueEvent[]> {
  const about = { nth: 0, at: 0, key: null, cell: 0 };
  const nameless = await settledBy(
    parts,
    catalogue.events.map((event, nth) => untouched(sentEvent(event, null, { ...about, id: String(nth) }))),
  );
  const wanted = catalogue.events.filter((_event, nth) => nameless.get(String(nth)) !== 'unhandled');
  const sampled = wanted.map((event) => samples.fullOf(event, 0));
  const outcomes = await settledBy(parts, sampled);
  const outcomeOf = (nth: number) => outcomes.get(sampled[nth]?.sent.id ?? '');
  const handled = wanted.filter((_event, nth) => outcomeOf(nth) === 'handled');
  if (handled.length > 0) return handled;
  const [first] = wanted;
  const rejected = first && `: it rejects a valid ${quoted(first.name)} (${outcomeOf(0)})`;
  const hint = 'Pass its wire format as "envelope", and your own events as "catalogue".';
  throw new BusbarError(
    'no-handlers',
    `The consumer handles no event of the catalogue${rejected ?? ''}. ${hint}`,
    {
      options: ['envelope', 'catalogue'],
    },
  );
}

/** Returns `handled` or the reason against it, by event id. A policy may end the run before the last event. */
async function settledBy(
  parts: ExerciseParts,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, string>> {
  const { outcomes } = await exercise(parts, deliveries, { observer: { around: () => undefined } });
  return new Map(outcomes.map(({ id = '', outcome, reason }) => [id, reason ?? outcome]));
}

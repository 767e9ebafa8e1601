import { memoized } from 'busbar/base';
import type { Catalogue, CatalogueEvent, Documents } from 'busbar/catalogue';
import { defaultStart } from '../../engine/calendar.js';
import { second } from '../../engine/time.js';
import { formatUuid } from '../../engine/uuid.js';
import { createSampler } from '../../samples/sampler.js';
import type { SampleKind } from '../samples.js';
import { type Delivery, type Sent, sentEvent, untouched, withEnvelope } from './delivery.js';
import type { PlayedEvents } from './event-sequence.js';
import { variantOf } from './payload-variants.js';

/** A sample to deliver. Its origin is the payload as the scenario sends it, and its kind is its fault. */
export interface SampleDelivery extends Delivery {
  readonly kind: SampleKind;
}

/** Samples of an event, each in a household of its own. */
export interface EventSamples extends PlayedEvents {
  /** Those of the deliveries that are samples. The others are events that they need before them. */
  readonly samples: readonly SampleDelivery[];
  /** Whether no scenario sends the event, so that nothing comes before a sample. */
  readonly isLone: boolean;
}

export type SampleSource = Awaited<ReturnType<typeof sampleSource>>;

/** Kinds of payloads, those that find most first: a scenario may have too few households for all of them. */
const kinds = [
  'minimal',
  'full',
  'unknown fields',
  'empty lists',
  'highest values',
  'lowest values',
] as const;

/** Number of households that {@link SampleSource.inHouseholds} needs. */
export const sampledHouseholds = kinds.length;

/** Returns a source of samples for a catalogue. @throws BusbarError as `openCatalogue` */
export async function sampleSource(catalogue: Catalogue, { events, shapes }: Documents, seed: number) {
  const sampler = await createSampler({ catalogue, seed });
  const ranks = new Map(catalogue.events.map((event, rank) => [event, rank]));
  const delivery = (event: CatalogueEvent, payload: unknown, nth: number) =>
    untouched(
      sentEvent(event, payload, {
        nth,
        id: formatUuid(ranks.get(event) ?? 0, 0x7000, 0x8000_0000 + nth, seed),
        at: defaultStart + nth * second,
        key: sampler.keyOf(event, payload, nth),
        cell: nth + 1,
      }),
    );
  // To play a scenario for each takes time, and most checks use the same few.
  const fullPayloads = memoized((event: CatalogueEvent) =>
    memoized((nth: number) => sampler.sample(event, { nth, fields: 'full' })),
  );
  const fullPayload = (event: CatalogueEvent, nth: number) => fullPayloads(event)(nth);
  const sampleOf = (event: CatalogueEvent, origin: Sent, full: unknown, kind: SampleKind): SampleDelivery => {
    const of = { schema: events[event.name] ?? {}, shapes };
    const sent = withEnvelope(origin, ({ payload }) => ({ payload: variantOf(kind, payload, full, of) }));
    return { kind, sent, origin, faults: kind === 'usual' ? [] : [kind] };
  };
  return {
    /** Returns a sample of each kind, without other events. */
    loneOf(event: CatalogueEvent): EventSamples {
      const samples = (['usual', ...kinds] as const).map((kind, nth) => {
        const usual = delivery(event, sampler.sample(event, { nth, fields: 'usual' }), nth).sent;
        return sampleOf(event, usual, fullPayload(event, nth), kind);
      });
      return { plan: { seed }, deliveries: samples, samples, isLone: true };
    },
    /** Returns a sample of each kind in its place in a scenario: at the end of one of these households. */
    inHouseholds(
      event: CatalogueEvent,
      households: readonly (readonly Delivery[])[],
    ): Omit<EventSamples, 'plan'> {
      const full = fullPayload(event, 0);
      const samples: SampleDelivery[] = [];
      const deliveries = households.slice(0, kinds.length).flatMap((household, nth) => {
        const end = household.findIndex(({ sent }) => sent.name === event.name);
        const kind = kinds[nth] ?? 'full';
        const sample = sampleOf(event, (household[end] as Delivery).sent, full, kind);
        samples.push(sample);
        return [...household.slice(0, end), sample];
      });
      deliveries.sort((one, other) => one.sent.at - other.sent.at);
      return { deliveries, samples, isLone: false };
    },
    /** Returns a sample with all optional fields, about the `nth` household. */
    fullOf: (event: CatalogueEvent, nth: number): Delivery => delivery(event, fullPayload(event, nth), nth),
  };
}

/** Returns the sample and what comes before it in its household. */
export function householdOf({ deliveries }: EventSamples, { sent }: SampleDelivery): readonly Delivery[] {
  return deliveries.filter((each) => each.sent.cell === sent.cell);
}

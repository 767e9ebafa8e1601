import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { second } from '../../engine/time.js';
import { formatUuid } from '../../engine/uuid.js';
import { defaultStart } from '../../engine/calendar.js';
import { createSampler } from '../../samples/sampler.js';
import { createSamples, type SampleKind } from '../samples.js';
import { type Delivery, sentEvent, untouched } from './delivery.js';

/** A sample to deliver. */
export interface SampleDelivery extends Delivery {
  readonly kind: SampleKind;
}

/** A source of samples as deliveries, one second apart. */
export interface SampleSource {
  /** Returns one sample of each kind, about the `nth` household. */
  of(event: CatalogueEvent, nth?: number): readonly SampleDelivery[];
  /** Returns a sample with all optional fields, about the `nth` household. */
  fullOf(event: CatalogueEvent, nth: number): Delivery;
  /** Returns the usual sample. */
  anyOf(event: CatalogueEvent): Delivery;
}

/** Returns a source of samples for a catalogue. @throws BusbarError as `openCatalogue` */
export async function sampleSource(catalogue: Catalogue, seed: number): Promise<SampleSource> {
  const { samples } = await createSamples({ catalogue });
  const sampler = await createSampler({ catalogue, seed });
  const places = new Map(catalogue.events.map((event, place) => [event, place]));
  const known = new Map<string, readonly SampleDelivery[]>();
  const minimal = new Map<CatalogueEvent, Delivery>();

  const delivery = (event: CatalogueEvent, payload: unknown, nth: number, index: number) =>
    untouched(
      sentEvent(event, payload, {
        nth: index,
        id: formatUuid(places.get(event) ?? 0, 0x7000 + index, 0x8000_0000 + nth, seed),
        at: defaultStart + index * second,
        key: sampler.keyOf(event, payload, nth),
        cell: nth + 1,
      }),
    );
  return {
    of(event, nth = 0) {
      const { name, type, version } = event;
      const found =
        known.get(`${name} ${nth}`) ??
        samples(type as never, version as never, { seed, nth }).map(({ kind, payload }, index) => ({
          kind,
          ...delivery(event, payload, nth, index),
        }));
      known.set(`${name} ${nth}`, found);
      return found;
    },
    fullOf: (event, nth) => delivery(event, sampler.sample(event, { nth, fields: 'full' }), nth, 0),
    anyOf(event) {
      const found =
        minimal.get(event) ?? delivery(event, sampler.sample(event, { nth: 0, fields: 'minimal' }), 0, 0);
      minimal.set(event, found);
      return found;
    },
  };
}

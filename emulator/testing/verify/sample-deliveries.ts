import type { Catalogue, CatalogueEvent } from '../../../catalogue/index.js';
import { second } from '../../engine/time.js';
import { formatUuid } from '../../engine/uuid.js';
import { defaultStart } from '../../run/plan.js';
import { createSampler } from '../../samples/sampler.js';
import { createSamples, type SampleKind, samples } from '../samples.js';
import { type Delivery, sentEvent, untouched } from './delivery.js';

/** A sample that is to be delivered. */
export interface SampleDelivery extends Delivery {
  readonly kind: SampleKind;
}

/** Samples as something to deliver, one second after the other. */
export interface SampleSource {
  /** One of each kind. The `nth` household, whose events go by other ids. */
  of(event: CatalogueEvent, nth?: number): readonly SampleDelivery[];
}

/** @throws BusbarError as `openCatalogue` */
export async function sampleSource(catalogue: Catalogue | undefined, all: Catalogue, seed: number) {
  const own = catalogue === undefined ? samples : (await createSamples({ catalogue })).samples;
  const sampler = await createSampler({ catalogue: all, seed });
  const places = new Map(all.events.map((event, place) => [event, place]));
  const source: SampleSource = {
    of(event, nth = 0) {
      const kinds = own(event.type as never, event.version as never, { seed, nth });
      return kinds.map(({ kind, payload }, index) => {
        const about = {
          nth: index,
          id: formatUuid(places.get(event) ?? 0, 0x7000 + index, 0x8000_0000 + nth, seed),
          at: defaultStart + index * second,
          key: sampler.keyOf(event, payload, nth),
          cell: nth + 1,
        };
        return { kind, ...untouched(sentEvent(event, payload, about)) };
      });
    },
  };
  return source;
}

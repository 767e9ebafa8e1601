import type { Catalogue, CatalogueEvent } from '../../../../catalogue/index.js';
import { envelopeAtPaths, type EnvelopePaths } from '../../../envelope/at-paths.js';
import { busbarEnvelope } from '../../../envelope/busbar.js';
import { cloudEventsEnvelope } from '../../../envelope/cloudevents.js';
import type { EnvelopeCodec } from '../../../envelope/envelope.js';
import { eventBridgeEnvelope } from '../../../envelope/eventbridge.js';
import type { ConsumerRecord } from '../../../transports/transport.js';
import { findPaths } from './find-paths.js';

/** An envelope that records have, and the configuration that reads it. */
export interface RecognisedEnvelope {
  readonly title: string;
  readonly codec: EnvelopeCodec;
  /** The value of `envelope` in a configuration file. */
  readonly setting: string | EnvelopePaths;
  /** The function of `busbar` that creates the codec, and its options. */
  readonly create: string;
  readonly options?: object;
}

/** Returns the envelope that reads most of the records, those of known events first. Undefined if none reads any. */
export async function recogniseEnvelope(
  records: readonly ConsumerRecord[],
  catalogue: Catalogue,
): Promise<RecognisedEnvelope | undefined> {
  const paths = await findPaths(records, catalogue);
  const candidates = [
    { title: "Busbar's own", codec: busbarEnvelope(), setting: 'busbar', create: 'busbarEnvelope' },
    {
      title: 'CloudEvents',
      codec: cloudEventsEnvelope(),
      setting: 'cloudevents',
      create: 'cloudEventsEnvelope',
    },
    {
      title: 'EventBridge',
      codec: eventBridgeEnvelope(),
      setting: 'eventbridge',
      create: 'eventBridgeEnvelope',
    },
    ...(paths === undefined ? [] : [atPaths(paths)]),
  ];
  const scored = candidates.map((candidate) => ({
    candidate,
    score: scoreOf(candidate, records, catalogue),
  }));
  // A sort is stable: the first of equals.
  const [best] = scored.sort((one, other) => other.score - one.score);
  return best === undefined || best.score === 0 ? undefined : best.candidate;
}

function atPaths(paths: EnvelopePaths): RecognisedEnvelope {
  const codec = envelopeAtPaths(paths);
  return { title: 'fields at paths', codec, setting: paths, create: 'envelopeAtPaths', options: paths };
}

/** A record of a known event counts a thousand times as much as any other that is read. */
function scoreOf(
  { codec }: RecognisedEnvelope,
  records: readonly ConsumerRecord[],
  catalogue: Catalogue,
): number {
  return records.reduce((sum, record) => {
    try {
      const { type, version } = codec.decode(record, codec.peek(record, catalogue), catalogue);
      const known: CatalogueEvent | undefined = catalogue.find(type, version);
      return sum + (known === undefined ? 1 : 1000);
    } catch {
      return sum;
    }
  }, 0);
}

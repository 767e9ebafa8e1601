import type { EnvelopeCodec } from './envelope.js';
import { nameFrom } from './event-name.js';
import { objectOf, optionalText, parseJson, undecodable } from './json.js';

/**
 * Events as Amazon EventBridge delivers them: `detail-type` is the catalogue name, which is looked up whole, `detail` the
 * payload; `id` and `time` are the envelope's.
 */
export function eventBridgeEnvelope() {
  return {
    name: 'eventbridge',
    peek: () => undefined,
    decode(record, _named, catalogue) {
      const body = objectOf(parseJson(record.value));
      const { 'detail-type': name, detail } = body;
      if (typeof name !== 'string' || name === '') throw undecodable('Its value has no text "detail-type".');
      if (detail === undefined) throw undecodable('Its value has no "detail".');
      return {
        ...nameFrom(name, catalogue),
        id: optionalText(body['id'], 'id'),
        occurredAt: optionalText(body['time'], 'time'),
        payload: detail,
      };
    },
  } satisfies EnvelopeCodec;
}

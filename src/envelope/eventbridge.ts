import type { EnvelopeCodec } from './envelope.js';
import { nameFrom } from './event-name.js';
import { objectOf, optionalText, parseValue, undecodable } from './json.js';

/**
 * Creates a codec for events of Amazon EventBridge: `detail-type` is the catalogue name, `detail` the payload, `id` the
 * event's id and `time` the time of the occurrence.
 */
export function eventBridgeEnvelope() {
  return {
    name: 'eventbridge',
    peek: () => undefined,
    decode(record, _named, catalogue) {
      const body = objectOf(parseValue(record));
      const { 'detail-type': name, detail } = body;
      if (typeof name !== 'string' || name === '')
        throw undecodable('The value has no string "detail-type".');
      if (detail === undefined) throw undecodable('The value has no "detail".');
      return {
        ...nameFrom(name, catalogue),
        id: optionalText(body['id'], 'id'),
        occurredAt: optionalText(body['time'], 'time'),
        payload: detail,
      };
    },
    encode({ type, version, id, occurredAt, payload }) {
      const about = { version: '0', id, 'detail-type': `${type}-${version}`, ...source, time: occurredAt };
      return { value: JSON.stringify({ ...about, resources: [], detail: payload }), headers: {} };
    },
  } satisfies EnvelopeCodec;
}

/** Members of encoded events that no consumer reads. */
const source = { source: 'platform', account: '000000000000', region: 'eu-west-1' };

import type { EventIndex } from '../../catalogue/index.js';
import { choice, matching, type OptionTable, readOptions } from '../base/options.js';
import { quoted } from '../base/errors.js';
import type { ConsumerRecord } from '../transports/transport.js';
import type { DecodedEvent, EncodedEvent, EnvelopeCodec } from './envelope.js';
import { checkSameName, nameFrom } from './event-name.js';
import { objectOf, parseJson, parseValue, undecodable } from './json.js';

/** Options of {@link cloudEventsEnvelope}. */
export interface CloudEventsOptions {
  /** Accepted content mode. Default `either`, by the record's headers; it encodes structured events. */
  readonly mode?: 'structured' | 'binary' | 'either';
  /**
   * Extension attribute with the version, if `type` is the event type. Without this attribute, `type` must be a
   * catalogue name. Default `eventversion`.
   */
  readonly versionAttribute?: string;
  /** Extension attribute that the versions of one occurrence share. Default `occurrenceid`. */
  readonly occurrenceAttribute?: string;
}

const attribute = matching(
  /^[a-z0-9]{1,64}$/,
  'a CloudEvents attribute: 1 to 64 lower case letters and digits',
);

const cloudEventsOptions = {
  mode: { type: choice('structured', 'binary', 'either'), default: 'either' },
  versionAttribute: { type: attribute, default: 'eventversion' },
  occurrenceAttribute: { type: attribute, default: 'occurrenceid' },
} satisfies OptionTable<CloudEventsOptions>;

/**
 * Creates a codec for CloudEvents 1.0 in the Kafka protocol binding, with JSON data. Structured: the value is the whole
 * event, and `content-type` begins with `application/cloudevents+json`, or no header begins with `ce_`. Binary: the
 * attributes are `ce_` headers, and the value is the data.
 * @throws BusbarError `invalid-option`
 */
export function cloudEventsEnvelope(options: CloudEventsOptions = {}) {
  const settings = readOptions('cloudEventsEnvelope()', cloudEventsOptions, options);
  const { mode, versionAttribute, occurrenceAttribute } = settings;

  const decodedFrom = (attributes: Attributes, catalogue: EventIndex, where: Where) => {
    if (required(attributes, 'specversion', where) !== '1.0') {
      throw undecodable(`${subjectOf(where)} another ${shown('specversion', where)} than "1.0".`);
    }
    required(attributes, 'source', where);
    const type = required(attributes, 'type', where);
    return {
      ...nameFrom(type, catalogue, optional(attributes, versionAttribute, where)),
      id: required(attributes, 'id', where),
      occurrenceId: optional(attributes, occurrenceAttribute, where),
      occurredAt: optional(attributes, 'time', where),
    };
  };

  return {
    name: 'cloudevents',
    peek(record, catalogue) {
      // In both modes: structured events may repeat their attributes as headers.
      const type = textOf(record.headers.get('ce_type'), 'ce_type');
      if (type === undefined || type === '') return undefined;
      const header = `ce_${versionAttribute}`;
      return nameFrom(type, catalogue, textOf(record.headers.get(header), header));
    },
    decode(record, named, catalogue): DecodedEvent {
      const headers = headersOf(record);
      const contentType = headers.get('content-type')?.toLowerCase();
      const isMarked = contentType?.startsWith('application/cloudevents') === true;
      const hasAttributes = headers.size > (contentType === undefined ? 0 : 1);
      if (!isMarked && (hasAttributes || mode === 'binary')) {
        if (mode === 'structured') throw undecodable('The headers do not mark a structured CloudEvent.');
        const attributes = Object.fromEntries(
          [...headers]
            .filter(([name]) => name.startsWith('ce_'))
            .map(([name, text]) => [name.slice(3), text]),
        );
        const decoded = decodedFrom(attributes, catalogue, 'headers');
        checkJson(contentType);
        return { ...decoded, payload: parseValue(record) };
      }
      if (mode === 'binary')
        throw undecodable('The record is a structured CloudEvent, but "mode" is "binary".');
      if (!isMarked) checkJson(contentType);
      else if (!/^application\/cloudevents\+json *(;|$)/.test(contentType)) {
        throw undecodable('The record is a CloudEvent in a format other than JSON, or a batch.');
      }
      const body = objectOf(parseValue(record));
      const decoded = decodedFrom(body, catalogue, 'value');
      checkSameName(named, decoded);
      return { ...decoded, payload: dataOf(body) };
    },
    encode({ type, version, id, occurrenceId, occurredAt, payload }): EncodedEvent {
      const attributes = {
        specversion: '1.0',
        id,
        source,
        type,
        time: occurredAt,
        [versionAttribute]: version,
        [occurrenceAttribute]: occurrenceId,
      };
      if (mode === 'binary') {
        const headers: Record<string, string> = { 'content-type': 'application/json' };
        for (const [name, text] of Object.entries(attributes)) headers[`ce_${name}`] = text;
        return { value: JSON.stringify(payload), headers };
      }
      const value = JSON.stringify({ ...attributes, datacontenttype: 'application/json', data: payload });
      return { value, headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' } };
    },
  } satisfies EnvelopeCodec;
}

/** The `source` of encoded events. */
const source = '/platform';

type Attributes = Readonly<Record<string, unknown>>;
type Where = 'headers' | 'value';

function required(attributes: Attributes, name: string, where: Where): string {
  const text = optional(attributes, name, where);
  if (text === undefined || text === '')
    throw undecodable(`${subjectOf(where)} no string ${shown(name, where)}.`);
  return text;
}

function optional(attributes: Attributes, name: string, where: Where): string | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw undecodable(`The value has a ${shown(name, where)} that is not text.`);
}

function subjectOf(where: Where): string {
  return where === 'headers' ? 'The headers have' : 'The value has';
}

function shown(name: string, where: Where): string {
  return quoted(where === 'headers' ? `ce_${name}` : name);
}

/** Returns the headers of a CloudEvent. Rejects a repeated header, which would be ambiguous. */
function headersOf(record: ConsumerRecord): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of record.headers) {
    if (name !== 'content-type' && !name.startsWith('ce_')) continue;
    if (found.has(name)) throw undecodable(`The header ${quoted(name)} occurs more than once.`);
    const text = textOf(value, name);
    if (text !== undefined) found.set(name, text);
  }
  return found;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array | undefined, name: string): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    throw undecodable(`The header ${quoted(name)} is not UTF-8 text.`);
  }
}

function checkJson(contentType: string | undefined): void {
  if (contentType === undefined || /^[^;]*[/+]json *(;|$)/.test(contentType)) return;
  throw undecodable('The data is in a format other than JSON.');
}

/** Returns the data of a structured event, which is JSON or base64 of JSON. */
function dataOf(body: Attributes): unknown {
  const { data, data_base64: encoded, datacontenttype } = body;
  if (datacontenttype !== undefined && datacontenttype !== null) {
    if (typeof datacontenttype !== 'string')
      throw undecodable('The value has a "datacontenttype" that is not text.');
    checkJson(datacontenttype.toLowerCase());
  }
  if (encoded === undefined) {
    if (data === undefined) throw undecodable('The value has no "data".');
    return data;
  }
  if (data !== undefined) throw undecodable('The value has both "data" and "data_base64".');
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    throw undecodable('The value has a "data_base64" that is not base64.');
  }
  return parseJson(Buffer.from(encoded, 'base64'));
}

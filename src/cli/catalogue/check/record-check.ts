import type { Catalogue, CatalogueEvent } from '../../../../catalogue/index.js';
import { isOurs, kindOf } from '../../../base/errors.js';
import type { DecodedEvent, EnvelopeCodec } from '../../../envelope/envelope.js';
import { ownPayload } from '../../../envelope/own-payload.js';
import type { ConsumerRecord } from '../../../transports/transport.js';
import { shownEvent } from './names.js';
import { ObservedEvent } from './observed-event.js';
import { RecentTexts } from './recent-texts.js';

/** Kinds of problems, with a line each. */
export const problemKinds = {
  undecodable: 'A record does not have the envelope.',
  'unknown-event': 'The catalogue has no event of that name.',
  missing: 'A required field is missing.',
  extra: 'The schema has no field of that name.',
  retyped: 'A value has another type than in the schema.',
  null: 'A value is null.',
  invalid: 'A value breaks another rule of the schema.',
  key: 'A key is not the identifier in the payload.',
  duplicate: 'An event id occurs again.',
  disorder: 'An event of a key is older than one before it.',
} as const satisfies Record<string, string>;

export type ProblemKind = keyof typeof problemKinds;

/** Unknown events with a name of their own. A deployment may have as many events as the catalogue, with other names. */
const maxUnknown = 1_000;
/** Reasons for undecodable records, and places of each. */
const maxReasons = 100;
const maxPlaces = 5;

/** Ids and keys that are remembered, as powers of two: about a million, and a quarter of a million. */
const idBits = 20;
const keyBits = 18;

/** Undecodable records with one reason. */
export interface Undecodable {
  count: number;
  /** Places of the first records, for example `line 7`. */
  readonly places: string[];
}

/** Returns where a record is. `number` counts the records from 1. */
export type PlaceOf = (record: ConsumerRecord, number: number) => string;

/** Compares records with a catalogue, in bounded memory. Contains names and counts, and no values. */
export class RecordCheck {
  records = 0;
  duplicates = 0;
  disorder = 0;
  /** Records without the envelope, by reason. */
  readonly undecodable = new Map<string, Undecodable>();
  readonly #events = new Map<string, Map<string, ObservedEvent>>();
  readonly #unknown = new Map<string, ObservedEvent>();
  readonly #ids = new RecentTexts(idBits);
  readonly #keys = new RecentTexts(keyBits);
  /** Time of the latest event of each key, by slot. */
  readonly #latest = new Float64Array(2 ** keyBits);
  readonly #catalogue: Catalogue;
  readonly #envelope: EnvelopeCodec;
  readonly #placeOf: PlaceOf;

  constructor(
    catalogue: Catalogue,
    envelope: EnvelopeCodec,
    placeOf: PlaceOf = (_, number) => `record ${number}`,
  ) {
    this.#catalogue = catalogue;
    this.#envelope = envelope;
    this.#placeOf = placeOf;
  }

  /** The events that occurred, those of the catalogue first. */
  get events(): readonly ObservedEvent[] {
    const known = [...this.#events.values()].flatMap((versions) => [...versions.values()]);
    return [...known, ...this.#unknown.values()];
  }

  /** Checks a record. Returns a promise only for the first record of an event, and for rare invalid payloads. */
  add(record: ConsumerRecord): void | Promise<void> {
    this.records++;
    let decoded: DecodedEvent;
    try {
      const named = this.#envelope.peek(record, this.#catalogue);
      decoded = this.#envelope.decode(record, named, this.#catalogue);
    } catch (error) {
      this.#countUndecodable(
        isOurs(error) ? error.message : `The codec failed with ${kindOf(error)}.`,
        record,
      );
      return undefined;
    }
    const observed = this.#events.get(decoded.type)?.get(decoded.version);
    if (observed !== undefined) return this.#observe(observed, decoded, record);
    const event = this.#catalogue.find(decoded.type, decoded.version);
    if (event === undefined) return this.#observe(this.#unknownEvent(decoded), decoded, record);
    return this.#open(event).then((opened) => this.#observe(opened, decoded, record));
  }

  /** Returns the number of records with problems of each kind; of differences, the number of values. */
  counts(): Record<ProblemKind, number> {
    const { duplicates: duplicate, disorder } = this;
    const undecodable = [...this.undecodable.values()].reduce((sum, { count }) => sum + count, 0);
    const differences = { missing: 0, extra: 0, retyped: 0, null: 0, invalid: 0 };
    const counts = { undecodable, 'unknown-event': 0, ...differences, key: 0, duplicate, disorder };
    for (const observed of this.events) {
      if (observed.event === undefined) counts['unknown-event'] += observed.records;
      for (const { kind, count } of observed.findings()) counts[kind] += count;
      counts.key += observed.keys.different;
    }
    return counts;
  }

  async #open(event: CatalogueEvent): Promise<ObservedEvent> {
    const observed = await ObservedEvent.of(this.#catalogue, event);
    const versions = this.#events.get(event.type) ?? new Map<string, ObservedEvent>();
    this.#events.set(event.type, versions.set(event.version, observed));
    return observed;
  }

  #countUndecodable(message: string, record: ConsumerRecord): void {
    // Each broken text has an error at another position.
    const reason = message.replace(/ \(at position \d+\)/, '');
    const isNamed = this.undecodable.has(reason) || this.undecodable.size < maxReasons;
    const name = isNamed ? reason : 'another reason';
    const found = this.undecodable.get(name) ?? { count: 0, places: [] };
    found.count++;
    if (found.places.length < maxPlaces) found.places.push(this.#placeOf(record, this.records));
    this.undecodable.set(name, found);
  }

  #unknownEvent({ type, version }: DecodedEvent): ObservedEvent {
    const shown = shownEvent(type, version);
    const name = this.#unknown.has(shown) || this.#unknown.size < maxUnknown ? shown : '?';
    const observed = this.#unknown.get(name) ?? new ObservedEvent(this.#catalogue, name);
    this.#unknown.set(name, observed);
    return observed;
  }

  #observe(observed: ObservedEvent, event: DecodedEvent, record: ConsumerRecord): void | Promise<void> {
    const { id, occurredAt } = event;
    const payload = ownPayload(event, observed.named);
    if (id !== undefined && this.#ids.slotOf(id) >= 0) this.duplicates++;
    const sent = record.key === null ? undefined : textOf(record.key);
    const identifier = identifierIn(payload, observed.keyPaths, sent);
    if (sent !== undefined && identifier !== undefined) {
      observed.keys[sent === identifier ? 'equal' : 'different']++;
    }
    const key = sent ?? identifier;
    if (key !== undefined && occurredAt !== undefined) this.#order(key, rankOf(occurredAt));
    return observed.add(payload);
  }

  #order(key: string, time: number): void {
    const slot = this.#keys.slotOf(key);
    if (slot < 0) this.#latest[-1 - slot] = time;
    else if (time < (this.#latest[slot] ?? 0)) this.disorder++;
    else this.#latest[slot] = time;
  }
}

/** Returns a number that grows with the time of a string; faster than `Date.parse` for UTC with milliseconds. */
function rankOf(time: string): number {
  if (time.length !== 24 || !time.endsWith('Z')) {
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? Number.NaN : rankOf(date.toISOString().slice(-24));
  }
  const two = (at: number) => time.charCodeAt(at) * 10 + time.charCodeAt(at + 1) - 528;
  const days = ((two(0) * 100 + two(2)) * 12 + two(5)) * 31 + two(8);
  const seconds = (two(11) * 60 + two(14)) * 60 + two(17);
  return (days * 86_400 + seconds) * 1000 + two(20) * 10 + time.charCodeAt(22) - 48;
}

/** Returns the identifier of an entity. A numeric id says nothing about a key such as `U-3690A4AC`, which is its number. */
function identifierIn(
  payload: unknown,
  paths: readonly (readonly string[])[],
  key: string | undefined,
): string | undefined {
  for (const path of paths) {
    let value = payload;
    for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && (key === undefined || /^\d+$/.test(key))) return String(value);
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

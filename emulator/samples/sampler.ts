import { BusbarError } from 'busbar/base';
import type { Catalogue, CatalogueEvent, Documents } from 'busbar/catalogue';
import { keyFields } from 'busbar/internal/catalogue';
import { defaultStart, london } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import { second } from '../engine/time.js';
import { openCell, type World, worldOf } from '../world/cell.js';
import { type Field, fieldAt } from './field-at.js';
import { type FieldPath, formatFieldPath, readField, writeField } from './field-path.js';
import { fit } from './fit.js';
import { generate } from './generate.js';
import { type PlayedEvent, playedEvents, type Variant } from './played.js';

interface SamplerOptions {
  readonly catalogue: Catalogue;
  /** Default 1. The same seed gives the same samples. */
  readonly seed?: number;
  /** Time of the first sample in milliseconds since the epoch. Each next one is a second later. */
  readonly start?: number;
}

/** Options of {@link Sampler.sample}. */
export interface SampleOptions {
  /** Number of the sample. Default: the next. Versions of an event with the same number agree. */
  readonly nth?: number;
  /** Optional fields: some by chance (`usual`, the default), none, or all. */
  readonly fields?: 'usual' | 'minimal' | 'full';
  /**
   * Values by path, for example `{ 'supply_points[0].market_name': 'GBR_GAS' }`. Related fields follow: that supply point
   * gets an MPRN. The sampler does not validate these values.
   */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Lengths of lists, by path. Default: the usual length, or the length that `overrides` need. */
  readonly lengths?: Readonly<Record<string, number>>;
}

/** Creates realistic payloads of events. */
export interface Sampler {
  /**
   * Returns a realistic payload of the event. It is valid unless an override is invalid.
   * @throws BusbarError `unknown-event` for an event of another catalogue, `invalid-option` for a path that the event
   * lacks, `invalid-schema` for a schema without possible samples.
   */
  sample(event: CatalogueEvent, options?: SampleOptions): Record<string, unknown>;
  /** Returns the time of the nth sample in milliseconds since the epoch. */
  instantOf(nth: number): number;
  /**
   * Returns the partition key of the nth sample, or of a changed copy: the identifier in the payload of the entity in the
   * event's schema (`x-busbar-key`), else that of the sample's household.
   */
  keyOf(event: CatalogueEvent, payload: unknown, nth: number): string;
  /** Returns the field at that path. @throws BusbarError `invalid-option` for a path without a field. */
  fieldAt(event: CatalogueEvent, path: string): Field;
}

/**
 * Creates a sampler of the catalogue's events. A sample of a built-in event comes from a scenario in a household of the
 * world with that seed; a sample of a custom event comes from its schema. The same seed and number give the same bytes.
 *
 * @example
 * const sampler = await createSampler({ catalogue, seed: 7 });
 * const payload = sampler.sample(event, { overrides: { account_number: 'A-1B2C3D4E' } });
 */
export async function createSampler(options: SamplerOptions): Promise<Sampler> {
  return samplerOf(await options.catalogue.documents(), options);
}

/** Households of samples in a world of their own. Further samples are about the first ones again. */
export const sampleRoom = 10_000;

/** Creates a sampler from loaded schemas. @param options `world`: its households, by default another world. */
export function samplerOf(
  { events, shapes }: Documents,
  options: Omit<SamplerOptions, 'catalogue'> & { readonly world?: World } = {},
): Sampler {
  const { seed = 1, start = defaultStart } = options;
  const world = options.world ?? worldOf({ seed, start, cells: 0, room: sampleRoom });
  const instantOf = (nth: number) => start + nth * second;
  let count = 0;

  const schemaOf = (event: CatalogueEvent) => {
    const schema = events[event.name];
    if (schema !== undefined) return schema;
    throw new BusbarError('unknown-event', `The sampler's catalogue has no event "${event.name}".`);
  };

  // Cell 0 is the platform. The first cell follows the last.
  const cellOf = (nth: number) => ({ ...world, index: 1 + (nth % (world.identifiers.width - 1)) });
  const homeOf = (nth: number) =>
    openCell({ ...cellOf(nth), today: london.dayAt(instantOf(nth)) }, cellOf(nth).index, 'dual-fuel');

  function* playedOf({ type, version }: CatalogueEvent, nth: number, variants: readonly Variant[]) {
    for (const variant of variants) {
      yield* playedEvents(cellOf(nth), { type, version, at: instantOf(nth) }, variant);
    }
  }
  const usual = new Map<string, PlayedEvent | undefined>();
  /** The default event. A sample and its key share one instance. */
  const usualOf = (event: CatalogueEvent, nth: number): PlayedEvent | undefined => {
    const name = `${event.name} ${nth}`;
    if (!usual.has(name)) {
      if (usual.size >= maxRemembered) usual.clear();
      const [played] = playedOf(event, nth, [usualVariant, ...neighbours]);
      usual.set(name, played);
    }
    return usual.get(name);
  };

  return {
    instantOf,
    keyOf(event, payload, nth) {
      const key = playedKey(payload, usualOf(event, nth)) ?? namedKey(payload, event.key);
      return key ?? homeOf(nth).account.number;
    },
    fieldAt: (event, path) => fieldAt(event, schemaOf(event), shapes, path),
    sample(event, { nth = count++, fields = 'usual', overrides = {}, lengths = {} } = {}) {
      const schema = schemaOf(event);
      const pathOf = (text: string) => fieldAt(event, schema, shapes, text).path;
      const wanted = Object.entries(overrides).map(([text, value]) => ({ path: pathOf(text), value }));
      const long = Object.entries(lengths).map(([text, length]) => ({ path: pathOf(text), length }));
      const played = {
        *own() {
          const first = usualOf(event, nth);
          if (first === undefined) return;
          yield first.payload;
          for (const { payload } of playedOf(event, nth, ownVariants)) yield payload;
        },
        *others() {
          for (const { payload } of playedOf(event, nth, neighbours)) yield payload;
        },
      };
      const draft = {
        eventType: event.type,
        shapes,
        fields,
        overrides: wanted,
        lengths: long,
        at: instantOf(nth),
        home: () => homeOf(nth),
        random: (path: string) => randomStream(seed, 'sample', nth, 'field', path),
      };
      const payload = generate(draft, schema, fit(played, wanted, long));
      // A path can contain an object without listed fields.
      for (const { path, value } of wanted) {
        if (writeField(payload, path, structuredClone(value))) continue;
        const message = `"${formatFieldPath(path)}" of "${event.name}" cannot be set: a value on its path is neither object nor list. Change the path.`;
        throw new BusbarError('invalid-option', message);
      }
      return payload;
    },
  };
}

/** More than a catalogue has events. */
const maxRemembered = 500;
const usualVariant: Variant = { ordinal: 1, neighbour: 0 };
/** Other instances in the same cell, for values that the default lacks. */
const ownVariants: readonly Variant[] = [1, 2, 3].map((ordinal) => ({ ordinal, neighbour: 0 }));
/** Instances in other cells, for more values of lists. */
const neighbours: readonly Variant[] = [1, 2, 3, 4, 5, 6, 7, 8].map((neighbour) => ({
  ordinal: 1,
  neighbour,
}));

/**
 * Returns the partition key of a payload: its value in the field where the played payload has the key, else the played
 * key. Returns undefined without a played event, as for a custom event.
 */
function playedKey(payload: unknown, played: PlayedEvent | undefined): string | undefined {
  if (played === undefined) return undefined;
  for (const path of pathsTo(played.key, played.payload)) {
    const value = readField(payload, path);
    if (value !== '' && typeof value === typeof readField(played.payload, path)) return String(value);
  }
  return played.key;
}

/**
 * Returns the key of a custom event: one of the fields that identify its entity, such as `account_number` or
 * `account.number`.
 */
function namedKey(payload: unknown, entity: string): string | undefined {
  const paths = keyFields(entity).flatMap((field) => [[field], field.split(/_(?=[^_]+$)/)]);
  const value = paths.map((path) => readField(payload, path)).find(isName);
  return value === undefined ? undefined : String(value);
}

function* pathsTo(key: string, value: unknown, path: FieldPath = []): Generator<FieldPath, void, void> {
  if (typeof value !== 'object' || value === null) {
    if (isName(value) && String(value) === key) yield path;
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    yield* pathsTo(key, each, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

function isName(value: unknown): value is string | number {
  return Number.isInteger(value) || (typeof value === 'string' && value !== '');
}

import type { Catalogue, CatalogueEvent, Documents } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { randomStream } from '../engine/random.js';
import { second } from '../engine/time.js';
import { formatFieldPath, writeField } from './field-path.js';
import { type Field, fieldAt } from './field-at.js';
import { generate } from './generate.js';
import { keyOf } from './key.js';
import { subjects } from './subject.js';

export interface SamplerOptions {
  readonly catalogue: Catalogue;
  /** Default 1. The same seed gives the same samples. */
  readonly seed?: number;
  /** The instant of the first sample, in milliseconds since the epoch; each is a second after the one before. */
  readonly start?: number;
}

export interface SampleOptions {
  /** Which sample of the seed. Default: the one after the last. Versions of an event agree when they share it. */
  readonly nth?: number;
  /** Optional fields: some by chance (`usual`, the default), none, or all. */
  readonly fields?: 'usual' | 'minimal' | 'full';
  /** `empty` leaves every list without a value. Default `usual`. */
  readonly lists?: 'usual' | 'empty';
  /**
   * Values by path, as `{ 'supply_points[0].market_name': 'GBR_GAS' }`. What belongs together follows: that supply
   * point has an MPRN then. They are not held against the schema.
   */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** How long lists are, by path; default: as long as they usually are, or as `overrides` need them. */
  readonly lengths?: Readonly<Record<string, number>>;
}

export interface Sampler {
  /**
   * A realistic payload of the event, valid by its schema unless an override is not.
   * @throws BusbarError `unknown-event` for an event of another catalogue, `invalid-option` for a path that the event
   * does not have, `invalid-schema` for a schema that no sample can be made for.
   */
  sample(event: CatalogueEvent, options?: SampleOptions): Record<string, unknown>;
  /** When the nth sample happens, in milliseconds since the epoch. */
  instantOf(nth: number): number;
  /**
   * Partition key of the nth sample, or of what has become of it: the entity that the event's schema names
   * (`x-busbar-key`), as the payload has it, else that of the sample's household.
   */
  keyOf(event: CatalogueEvent, payload: unknown, nth: number): string;
  /** What the event has at that path; throws `invalid-option` naming the path where there is nothing. */
  fieldAt(event: CatalogueEvent, path: string): Field;
}

/** Monday 2 March 2026, 09:00 in London: when runs of the emulator begin, too. */
const defaultStart = Date.UTC(2026, 2, 2, 9);

/**
 * Makes samples of any event of a catalogue, built-in or the user's. What one sample says agrees with itself: all of
 * it is about one household of the world with that seed. The same seed and number give the same bytes.
 *
 * @example
 * const sampler = await createSampler({ catalogue, seed: 7 });
 * const payload = sampler.sample(event, { overrides: { account_number: 'A-1B2C3D4E' } });
 */
export async function createSampler(options: SamplerOptions): Promise<Sampler> {
  return samplerOf(await options.catalogue.documents(), options);
}

/** The same for who has the schemas at hand. */
export function samplerOf(
  { events, shapes }: Documents,
  options: Omit<SamplerOptions, 'catalogue'> = {},
): Sampler {
  const { seed = 1, start = defaultStart } = options;
  const subjectOf = subjects(seed);
  const instantOf = (nth: number) => start + nth * second;
  let count = 0;

  const schemaOf = (event: CatalogueEvent) => {
    const schema = events[event.name];
    if (schema !== undefined) return schema;
    throw new BusbarError('unknown-event', `The sampler's catalogue has no event "${event.name}".`);
  };

  const sampler: Sampler = {
    instantOf,
    keyOf(event, payload, nth) {
      const subject = subjectOf(about(nth, instantOf(nth)));
      return keyOf(event.key, payload, { subject, usual: () => sampler.sample(event, { nth }) });
    },
    fieldAt: (event, path) => fieldAt({ schema: schemaOf(event), shapes, event }, path),
    sample(event, { nth = count++, fields = 'usual', lists = 'usual', overrides = {}, lengths = {} } = {}) {
      const schema = schemaOf(event);
      const pathOf = (text: string) => fieldAt({ schema, shapes, event }, text).path;
      const wanted = Object.entries(overrides).map(([text, value]) => ({ path: pathOf(text), value }));
      const long = Object.entries(lengths).map(([text, length]) => ({ path: pathOf(text), length }));
      const pinned = (field: string) =>
        wanted.find(({ path }) => path.length === 1 && path[0] === field)?.value;
      const subject = subjectOf({
        ...about(nth, instantOf(nth)),
        eventType: event.type,
        hasLists: lists === 'usual',
        pinned,
      });
      const random = (path: string) => randomStream(seed, 'sample', nth, 'field', path);
      const payload = generate({ subject, shapes, fields, overrides: wanted, lengths: long, random }, schema);
      // The way to a value can lead through an object whose contents no schema describes.
      for (const { path, value } of wanted) {
        if (writeField(payload, path, structuredClone(value))) continue;
        const message = `"${formatFieldPath(path)}" of "${event.name}" cannot be set: something on the way to it is neither object nor list.`;
        throw new BusbarError('invalid-option', message);
      }
      return payload;
    },
  };
  return sampler;
}

function about(nth: number, at: number) {
  return { nth, at, eventType: '', hasLists: true, pinned: () => undefined };
}

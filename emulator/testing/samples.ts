import {
  BusbarError,
  catalogueObject,
  checkOptions,
  memoized,
  type OptionTable,
  quoted,
  readOptions,
  whole,
} from 'busbar/base';
import {
  type Catalogue,
  type CatalogueEvent,
  type EventType,
  type JsonSchema,
  type PayloadOf,
  requireEvent,
  type VersionOf,
} from 'busbar/catalogue';
import { configuredCatalogue } from '../run/configured.js';
import { sampleOptions } from '../run/options.js';
import { removeField } from '../samples/field-path.js';
import { listViolations } from '../samples/list-violations.js';
import { type SampleOptions, samplerOf } from '../samples/sampler.js';
import { atBoundary, withoutItems, withUnknownFields } from './boundaries.js';
import { type Overrides, readOverrides } from './overrides.js';
import { builtInSchemas, type Schemas, schemasOf } from './schemas.js';

/** Options of {@link sample}. */
export interface SampleChoice {
  /** Seed of the values. Default 1. */
  readonly seed?: number;
  /** Number of the household in the seed's world. Samples of one household are consistent. Default 0. */
  readonly nth?: number;
  /** Optional fields: a random part (`usual`, the default), none (`minimal`) or all (`full`). */
  readonly fields?: SampleOptions['fields'];
}

const sampleChoice = {
  seed: { type: whole(), default: 1 },
  nth: { type: whole({ from: 0 }), default: 0 },
  fields: sampleOptions.fields,
} satisfies OptionTable<SampleChoice>;

/** A kind of valid payload that a consumer must handle. */
export type SampleKind =
  | 'usual'
  | 'minimal'
  | 'full'
  | 'empty lists'
  | 'lowest values'
  | 'highest values'
  | 'unknown fields';

/** A payload and its kind. */
export interface LabelledSample<P = unknown> {
  readonly kind: SampleKind;
  readonly payload: P;
}

/** Samples of the events of a catalogue. */
export interface Samples {
  /**
   * Returns a realistic, valid payload with the overrides applied. The same arguments give the same payload.
   * @throws BusbarError `unknown-event`, `unknown-version`; `invalid-option` for overrides of unknown fields or with
   * invalid values: the message has pointers and rules, no values
   * @example
   * sample('lifecycle.leave-supplier.completed', 'v3', { account_number: 'A-1B2C3D4E' });
   */
  readonly sample: <T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    overrides?: Overrides<PayloadOf<T, V>>,
    choice?: SampleChoice,
  ) => PayloadOf<T, V>;
  /**
   * Returns one valid payload of each {@link SampleKind}, the full one if the schema excludes the kind.
   * @throws BusbarError `unknown-event`, `unknown-version`
   */
  readonly samples: <T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    choice?: Omit<SampleChoice, 'fields'>,
  ) => readonly LabelledSample<PayloadOf<T, V>>[];
}

/** {@link Samples.sample} for the built-in catalogue. */
export const sample: Samples['sample'] = (...given) => builtIn().sample(...given);

/** {@link Samples.samples} for the built-in catalogue. */
export const samples: Samples['samples'] = (...given) => builtIn().samples(...given);

/**
 * Returns samples for a catalogue with your own events. Default: that of the nearest configuration file.
 * @throws BusbarError as `openCatalogue`
 */
export async function createSamples(options: { readonly catalogue?: Catalogue } = {}): Promise<Samples> {
  checkOptions('createSamples()', { catalogue: { type: catalogueObject } }, options);
  return samplesOver(await schemasOf(options.catalogue ?? (await configuredCatalogue())));
}

let ofBuiltIn: Samples | undefined;

function builtIn(): Samples {
  return (ofBuiltIn ??= samplesOver(builtInSchemas()));
}

function samplesOver(schemas: Schemas): Samples {
  const { catalogue, documents } = schemas;
  const samplerFor = memoized((seed: number) => samplerOf(documents, { seed }));
  return {
    sample(type, version, overrides = {} as never, choice = {}) {
      const { seed, nth, fields } = readOptions('sample()', sampleChoice, choice);
      const event = requireEvent(catalogue, { type, version });
      const sampler = samplerFor(seed);
      const { absent, ...wanted } = readOverrides(overrides as object, event, sampler);
      const payload = sampler.sample(event, { nth, fields, ...wanted });
      for (const path of absent) removeField(payload, path);
      requireValid(schemas, event, payload, Object.keys(overrides as object).length > 0);
      return payload as never;
    },
    samples(type, version, choice = {}) {
      const { seed, nth } = readOptions(
        'samples()',
        { seed: sampleChoice.seed, nth: sampleChoice.nth },
        choice,
      );
      const event = requireEvent(catalogue, { type, version });
      const sampler = samplerFor(seed);
      const draw: Draw = (which) => sampler.sample(event, { nth, fields: which });
      const of = { schema: documents.events[event.name] ?? {}, shapes: documents.shapes };
      return Object.entries(payloads).map(([kind, payload]) => {
        const made = payload(draw, of);
        // Limits of a whole list or object may exclude the kind.
        const isValid = schemas.explain(event, made).length === 0;
        return { kind: kind as SampleKind, payload: (isValid ? made : full(draw)) as never };
      });
    },
  };
}

type Draw = (fields: NonNullable<SampleOptions['fields']>) => unknown;
/** A schema, and the shapes that it refers to. */
export type Shape = { readonly schema: JsonSchema; readonly shapes: Readonly<Record<string, JsonSchema>> };

const full = (draw: Draw) => draw('full');

/** Returns the payload of a kind. `draw` returns a sample of the event. */
export const payloads: Readonly<Record<SampleKind, (draw: Draw, of: Shape) => unknown>> = {
  usual: (draw) => draw('usual'),
  minimal: (draw) => draw('minimal'),
  full,
  'empty lists': (draw, { schema, shapes }) => withoutItems(full(draw), schema, shapes),
  'lowest values': (draw, { schema, shapes }) => atBoundary(full(draw), schema, shapes, 'lowest'),
  'highest values': (draw, { schema, shapes }) => atBoundary(full(draw), schema, shapes, 'highest'),
  'unknown fields': (draw, { schema, shapes }) => withUnknownFields(full(draw), schema, shapes),
};

function requireValid(schemas: Schemas, event: CatalogueEvent, payload: unknown, isChanged: boolean): void {
  const violations = schemas.explain(event, payload);
  if (violations.length === 0) return;
  const what = isChanged
    ? `${quoted(event.name)} is not valid with these overrides`
    : `No sample of ${quoted(event.name)} can be made, because its schema may exclude every payload`;
  throw new BusbarError('invalid-option', `${what}: ${listViolations(violations)}.`);
}

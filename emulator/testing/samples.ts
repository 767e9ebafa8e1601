import {
  BusbarError,
  catalogueObject,
  checkOptions,
  type OptionTable,
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
import { sampleOptions } from '../run/options.js';
import { removeField } from '../samples/field-path.js';
import { listViolations } from '../samples/list-violations.js';
import { type SampleOptions, type Sampler, samplerOf } from '../samples/sampler.js';
import { type Boundary, atBoundary, withUnknownFields } from './boundaries.js';
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
  /** Returns one valid payload of each {@link SampleKind}. @throws BusbarError `unknown-event`, `unknown-version` */
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

/** Returns samples for a catalogue with your own events. @throws BusbarError as `openCatalogue` */
export async function createSamples(options: { readonly catalogue: Catalogue }): Promise<Samples> {
  checkOptions('createSamples()', { catalogue: { type: catalogueObject, isRequired: true } }, options);
  return samplesOver(await schemasOf(options.catalogue));
}

let ofBuiltIn: Samples | undefined;

function builtIn(): Samples {
  return (ofBuiltIn ??= samplesOver(builtInSchemas()));
}

function samplesOver(schemas: Schemas): Samples {
  const { catalogue, documents } = schemas;
  const samplers = new Map<number, Sampler>();
  const samplerFor = (seed: number) => {
    const sampler = samplers.get(seed) ?? samplerOf(documents, { seed });
    samplers.set(seed, sampler);
    return sampler;
  };
  return {
    sample(type, version, overrides = {} as never, choice = {}) {
      const { seed, nth, fields } = readOptions('sample()', sampleChoice, choice);
      const event = requireEvent(catalogue, { type, version });
      const sampler = samplerFor(seed);
      const { absent, ...wanted } = readOverrides(overrides as object, event, sampler);
      const payload = sampler.sample(event, { nth, fields, ...wanted });
      for (const path of absent) removeField(payload, path);
      requireValid(schemas, event, payload);
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
      const schema = documents.events[event.name] ?? {};
      return kinds.map((kind) => ({
        kind,
        payload: ofKind(kind, (options) => sampler.sample(event, { nth, ...options }), {
          schema,
          shapes: documents.shapes,
        }) as never,
      }));
    },
  };
}

const kinds: readonly SampleKind[] = [
  'usual',
  'minimal',
  'full',
  'empty lists',
  'lowest values',
  'highest values',
  'unknown fields',
];

type Shape = { readonly schema: JsonSchema; readonly shapes: Readonly<Record<string, JsonSchema>> };

function ofKind(kind: SampleKind, draw: (options: SampleOptions) => unknown, of: Shape): unknown {
  const full = () => draw({ fields: 'full' });
  const boundary = (which: Boundary) => atBoundary(full(), of.schema, of.shapes, which);
  switch (kind) {
    case 'usual':
    case 'minimal':
    case 'full':
      return draw({ fields: kind });
    case 'empty lists':
      return draw({ fields: 'full', lists: 'empty' });
    case 'lowest values':
      return boundary('lowest');
    case 'highest values':
      return boundary('highest');
    case 'unknown fields':
      return withUnknownFields(full(), of.schema, of.shapes);
  }
}

function requireValid(schemas: Schemas, event: CatalogueEvent, payload: unknown): void {
  const violations = schemas.explain(event, payload);
  if (violations.length === 0) return;
  const message = `"${event.name}" is not valid with these overrides: ${listViolations(violations)}.`;
  throw new BusbarError('invalid-option', message);
}

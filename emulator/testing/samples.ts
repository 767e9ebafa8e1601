import {
  catalogueObject,
  checkOptions,
  type OptionTable,
  readOptions,
  whole,
} from '../../src/base/options.js';
import { sampleOptions } from '../run/options.js';
import type {
  Catalogue,
  CatalogueEvent,
  EventType,
  JsonSchema,
  PayloadOf,
  VersionOf,
} from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { known } from '../../src/registry.js';
import { removeField } from '../samples/field-path.js';
import { type SampleOptions, type Sampler, samplerOf } from '../samples/sampler.js';
import { type Boundary, atBoundary, withUnknownFields } from './boundaries.js';
import { type Overrides, readOverrides } from './overrides.js';
import { builtInSchemas, type Schemas, schemasOf } from './schemas.js';

export interface SampleChoice {
  /** Default 1. */
  readonly seed?: number;
  /** Which household of the seed it is about: samples of several events agree when they share it. Default 0. */
  readonly nth?: number;
  /** Optional fields: some by chance (`usual`, the default), none, or all. */
  readonly fields?: SampleOptions['fields'];
}

const sampleChoice = {
  seed: { type: whole(), default: 1 },
  nth: { type: whole({ from: 0 }), default: 0 },
  fields: sampleOptions.fields,
} satisfies OptionTable<SampleChoice>;

/** A kind of payload that a consumer must cope with. */
export type SampleKind =
  | 'usual'
  | 'minimal'
  | 'full'
  | 'empty lists'
  | 'lowest values'
  | 'highest values'
  | 'unknown fields';

export interface LabelledSample<P = unknown> {
  readonly kind: SampleKind;
  readonly payload: P;
}

/** Samples of the events of a catalogue. */
export interface Samples {
  /**
   * A realistic, valid payload with what is wanted in it; the same for the same arguments.
   * @throws BusbarError `unknown-event`, `unknown-version`; `invalid-option` for overrides that the event has no field
   * for, or that make it invalid: the message has pointers and rules, no values
   * @example
   * sample('lifecycle.leave-supplier.completed', 'v3', { account_number: 'A-1B2C3D4E' });
   */
  readonly sample: <T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    overrides?: Overrides<PayloadOf<T, V>>,
    choice?: SampleChoice,
  ) => PayloadOf<T, V>;
  /** One valid payload of each kind, named. @throws BusbarError `unknown-event`, `unknown-version` */
  readonly samples: <T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    choice?: Omit<SampleChoice, 'fields'>,
  ) => readonly LabelledSample<PayloadOf<T, V>>[];
}

/** {@link Samples.sample} of the built-in catalogue. */
export const sample: Samples['sample'] = (...given) => builtIn().sample(...given);

/** {@link Samples.samples} of the built-in catalogue. */
export const samples: Samples['samples'] = (...given) => builtIn().samples(...given);

/** Samples of a catalogue with events of your own. @throws BusbarError as `openCatalogue` */
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
      const event = known(catalogue, { type, version });
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
      const event = known(catalogue, { type, version });
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
  const listed = violations
    .slice(0, 5)
    .map(({ pointer, rule, message }) => `"${pointer}" ${message} (rule "${rule}")`);
  const message = `"${event.name}" is not valid with these overrides: ${listed.join('; ')}.`;
  throw new BusbarError('invalid-option', message);
}

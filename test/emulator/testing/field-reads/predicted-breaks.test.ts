import { Ajv2020 } from 'ajv/dist/2020.js';
import { createConsumer, openCatalogue, silentLogger } from 'busbar';
import { recordFields } from 'busbar-emulator/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCatalogues } from '../../../../catalogue/diff/compare-catalogues.js';
import type { JsonSchema } from '../../../../catalogue/schema.js';
import { cases } from '../../../cases.js';
import { changed, type Drawn, drawnSchemas } from './schema-changes.js';
import { varied } from './varied-payloads.js';

const marks = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1', 'x-busbar-key': 'tariff' };

const ajv = new Ajv2020({ strict: false, logger: false });
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT.*Z$/);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat('email', /^[^@]+@[^@]+$/);

const isFit = (schema: JsonSchema, value: unknown) => ajv.validate(schema, value);

/** A field of the event that a handler may read, with what its schema promises, fields and items apart. */
interface Place {
  readonly path: readonly string[];
  readonly promise: JsonSchema;
  readonly isRequired: boolean;
}

function placesIn(schema: JsonSchema, shapes: Drawn['shapes'], path: readonly string[] = []): Place[] {
  if (schema.$ref !== undefined)
    return placesIn(shapes[schema.$ref.slice('#/$defs/'.length)] ?? {}, shapes, path);
  if (Array.isArray(schema['anyOf'])) {
    const [schemas] = [schema['anyOf'] as JsonSchema[]];
    const parts = schemas.map((each) => placesIn(each, shapes, path));
    const promise = { anyOf: parts.map(([own]) => own?.promise) } as JsonSchema;
    return [{ path, promise, isRequired: true }, ...parts.flatMap(([, ...inside]) => inside)];
  }
  const { properties = {}, required = [], items, additionalProperties, ...promise } = schema;
  const each =
    items ?? (typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : undefined);
  return [
    { path, promise, isRequired: true },
    ...Object.entries(properties).flatMap(([name, field]) => {
      const [own, ...inside] = placesIn(field, shapes, [...path, name]);
      return own === undefined ? [] : [{ ...own, isRequired: required.includes(name) }, ...inside];
    }),
    ...(each === undefined ? [] : placesIn(each, shapes, [...path, '*'])),
  ];
}

/** A handler that reads one field, and throws if a value on the way is not as promised. */
function readerOf(places: readonly Place[], { path }: Place): (payload: unknown) => void {
  const promised = path.map((_, index) => {
    const way = path.slice(0, index + 1).join('/');
    return places.find((place) => place.path.join('/') === way);
  });
  const read = (value: unknown, depth: number): void => {
    const name = path[depth];
    if (name === undefined || typeof value !== 'object' || value === null) return;
    const inside = itemsOf(value, name);
    for (const each of inside) {
      const { promise, isRequired } = promised[depth] as Place;
      if (each === undefined && !isRequired) continue;
      if (each === undefined || !isFit(promise, shallow(each))) throw new Error('not as promised');
      read(each, depth + 1);
    }
  };
  return (payload) => read(payload, 0);
}

function itemsOf(value: object, name: string): unknown[] {
  if (name !== '*') return [(value as Record<string, unknown>)[name]];
  return Array.isArray(value) ? [...(value as unknown[])] : Object.values(value);
}

/** Keeps the length of a list, without its items, and nothing of an object. */
function shallow(value: unknown): unknown {
  if (Array.isArray(value)) return Array<number>(value.length).fill(0);
  return typeof value === 'object' && value !== null ? {} : value;
}

const drawn = fc.record({
  schemas: drawnSchemas,
  change: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  reads: fc.array(fc.nat(), { minLength: 2, maxLength: 8 }),
  /** Whether the handler serialises its payload, and relies on all of it. */
  serialises: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
});

function catalogueOf({ event, shapes }: Drawn) {
  const named = Object.entries(shapes).map(([name, shape]) => ({ $id: name, ...shape }));
  return openCatalogue({ events: [{ ...marks, ...event }], shapes: named });
}

function payloadsOf({ event, shapes }: Drawn): unknown[] {
  const isValid = ajv.compile({ ...event, $defs: shapes });
  return varied(event, shapes, isFit).filter((payload) => isValid(payload));
}

function throwsOn(handler: (payload: unknown) => void): (payload: unknown) => boolean {
  return (payload) => {
    try {
      handler(payload);
      return false;
    } catch {
      return true;
    }
  };
}

it('compareCatalogues predicts the breaks of handlers, with 2 % false alarms at most', async () => {
  const counts = { breaks: 0, missed: 0, falseAlarms: 0 };
  for (const { schemas, change, reads, serialises } of fc.sample(drawn, {
    numRuns: cases(15, 500),
    seed: 18,
  })) {
    const young = changed(schemas, change);
    const places = placesIn(schemas.event, schemas.shapes).slice(1);
    const isValid = ajv.compile({ ...schemas.event, $defs: schemas.shapes });
    const readers = reads.map((number) => readerOf(places, places[number % places.length] as Place));
    const handler = (payload: unknown) => {
      if (serialises && !isValid(JSON.parse(JSON.stringify(payload)))) throw new Error('not as promised');
      for (const read of readers) read(payload);
    };
    expect(payloadsOf(schemas).filter(throwsOn(handler))).toEqual([]);

    const old = catalogueOf(schemas);
    const consumer = createConsumer({ catalogue: old, logger: silentLogger });
    consumer.onMatching('tariff.*', ({ payload }) => handler(payload));
    const recorded = await recordFields(consumer, { catalogue: old, scenarios: [] });
    const differences = await compareCatalogues(old, catalogueOf(young), recorded);

    const isPredicted = differences.some(
      ({ breaks, handlers = {} }) => breaks.includes('consumers') && Object.keys(handlers).length > 0,
    );
    const isBroken = payloadsOf(young).some(throwsOn(handler));
    counts.breaks += Number(isBroken);
    counts.missed += Number(isBroken && !isPredicted);
    counts.falseAlarms += Number(isPredicted && !isBroken);
  }
  expect(counts.missed).toBe(0);
  expect(counts.breaks).toBeGreaterThan(0);
  expect(counts.falseAlarms).toBeLessThanOrEqual(0.02 * (counts.breaks + counts.falseAlarms));
});

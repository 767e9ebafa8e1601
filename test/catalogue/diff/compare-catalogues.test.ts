import { describe, expect, it } from 'vitest';
import { type CatalogueEvent, makeEvent } from '../../../catalogue/event-index.js';
import { compareCatalogues } from '../../../catalogue/diff/compare-catalogues.js';
import type { FieldReads } from '../../../catalogue/diff/field-reads.js';
import { openCatalogue } from '../../../catalogue/open.js';
import type { Documents, JsonSchema } from '../../../catalogue/schema.js';

const event = (type: string, version = 'v1', key = 'tariff') => makeEvent(type, version, 'tariffs', key);

function catalogueOf(events: readonly CatalogueEvent[], documents: Documents) {
  return { events, documents: () => Promise.resolve(documents) };
}

/** Returns the differences of one event whose only field, `rate`, has another schema. */
async function changesOf(before: JsonSchema, after: JsonSchema, shapes: Documents['shapes'] = {}) {
  const tariff = event('tariff.changed');
  const sides = [before, after].map((rate) =>
    catalogueOf([tariff], {
      shapes,
      events: { [tariff.name]: { type: 'object', properties: { rate } } },
    }),
  );
  const differences = await compareCatalogues(sides[0]!, sides[1]!);
  return differences.map(({ kind, pointer, change, breaks }) => [kind, pointer, change, breaks.join()]);
}

const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const text: JsonSchema = { type: 'string' };

describe('compareCatalogues', () => {
  it.each<[JsonSchema, JsonSchema, string[]]>([
    [text, { type: ['string', 'null'] }, ['type', '/rate', 'null or string instead of string', 'consumers']],
    [{ type: 'integer' }, { type: 'number' }, ['type', '/rate', 'number instead of integer', 'consumers']],
    [{ type: 'number' }, { type: 'integer' }, ['type', '/rate', 'integer instead of number', 'producers']],
    [text, { type: 'integer' }, ['type', '/rate', 'integer instead of string', 'consumers,producers']],
    [text, {}, ['type', '/rate', 'any type instead of string', 'consumers']],
    [object({}), object({ a: text }), ['field', '/rate/a', 'added, optional', '']],
    [object({}), object({ a: text }, ['a']), ['field', '/rate/a', 'added, required', 'producers']],
    [object({ a: text }), object({}), ['field', '/rate/a', 'removed, was optional', '']],
    [object({ a: text }, ['a']), object({}), ['field', '/rate/a', 'removed, was required', 'consumers']],
    [
      object({ a: text }, ['a']),
      object({ a: text }),
      ['required', '/rate/a', 'optional instead of required', 'consumers'],
    ],
    [
      object({ a: text }),
      object({ a: text }, ['a']),
      ['required', '/rate/a', 'required instead of optional', 'producers'],
    ],
    [
      object({}),
      { ...object({}), additionalProperties: false },
      ['field', '/rate', 'further fields no longer allowed', 'producers'],
    ],
    [
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { type: 'boolean' } },
      ['type', '/rate/*', 'boolean instead of string', 'consumers,producers'],
    ],
    [
      { enum: ['a', 'b'] },
      { enum: ['b', 'c'] },
      ['enum', '/rate', 'added "c"; removed "a"', 'consumers,producers'],
    ],
    [{ ...text, enum: ['a'] }, text, ['enum', '/rate', 'any value', 'consumers']],
    [text, { ...text, const: 'a' }, ['enum', '/rate', 'only "a"', 'producers']],
    [{ ...text, format: 'date' }, text, ['format', '/rate', 'none instead of date', 'consumers']],
    [
      { type: 'integer', maximum: 5 },
      { type: 'integer' },
      ['bounds', '/rate', 'maximum Infinity instead of maximum 5', 'consumers'],
    ],
    [
      { type: 'integer', minimum: 0 },
      { type: 'integer', exclusiveMinimum: 0 },
      ['bounds', '/rate', 'exclusiveMinimum 0 instead of minimum 0', 'producers'],
    ],
    [
      { type: 'array', items: text },
      { type: 'array', items: text, minItems: 1 },
      ['bounds', '/rate', 'minItems 1 instead of minItems 0', 'producers'],
    ],
    [
      { ...text, 'x-busbar-unit': 'pence' },
      { ...text, 'x-busbar-unit': 'pounds' },
      ['unit', '/rate', '"pounds" instead of "pence"', 'consumers,producers'],
    ],
    [text, { ...text, pattern: '^A' }, ['rule', '/rate', '"pattern" added', 'producers']],
    [
      { ...text, not: { const: 'a' } },
      { ...text, not: { const: 'b' } },
      ['rule', '/rate', '"not" changed', 'consumers,producers'],
    ],
    [
      { allOf: [object({ a: text }), object({ b: text })] },
      object({ a: text, b: { type: 'boolean' } }),
      ['type', '/rate/b', 'boolean instead of string', 'consumers,producers'],
    ],
    [
      { oneOf: [object({ a: text }), object({ b: text })] },
      { oneOf: [object({ b: text }), object({ a: { type: 'boolean' } })] },
      ['type', '/rate/a', 'boolean instead of string', 'consumers,producers'],
    ],
    [
      { oneOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])] },
      { oneOf: [object({ b: text }, ['b']), object({ c: text }, ['c']), object({ a: text }, ['a'])] },
      ['type', '/rate', '3 alternatives instead of 2', 'consumers'],
    ],
    [
      object({ a: text }, ['a']),
      { oneOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])] },
      ['type', '/rate', '2 alternatives instead of 1', 'consumers'],
    ],
    [
      { oneOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])] },
      object({ a: text }, ['a']),
      ['type', '/rate', '1 alternative instead of 2', 'producers'],
    ],
    [object({ constructor: text }), object({}), ['field', '/rate/constructor', 'removed, was optional', '']],
    [
      object({}),
      { allOf: [object({}), object({ toString: text }, ['toString'])] },
      ['field', '/rate/toString', 'added, required', 'producers'],
    ],
    [
      { allOf: [object({ a: text }), object({ constructor: text })] },
      { allOf: [object({ a: text }), object({ constructor: { type: 'integer' } })] },
      ['type', '/rate/constructor', 'integer instead of string', 'consumers,producers'],
    ],
  ])('compares %j with %j', async (before, after, expected) => {
    expect(await changesOf(before, after)).toEqual([expected]);
  });

  it.each<[JsonSchema, JsonSchema]>([
    [text, { ...text, title: 'Rate', description: 'Price of a unit.', 'x-busbar-unit': 'pence' }],
    [{ type: ['string', 'null'] }, { oneOf: [{ type: 'null' }, text] }],
    [{ enum: ['a', 'b'] }, { type: 'string', enum: ['b', 'a'] }],
    [{ $ref: '#/$defs/Rate' }, { type: 'object', properties: { next: { $ref: '#/$defs/Rate' } } }],
    [object({ a: text }, []), { properties: { a: { allOf: [text] } }, type: ['object'] }],
  ])('finds %j equal to %j', async (before, after) => {
    expect(await changesOf(before, after, { Rate: object({ next: { $ref: '#/$defs/Rate' } }) })).toEqual([]);
  });

  it('compares a shape that contains itself with one of another name', async () => {
    const node = (name: string, id: JsonSchema) =>
      object({ id, parts: { type: 'array', items: { $ref: `#/$defs/${name}`, description: name } } });
    const shapes = { Old: node('Old', text), New: node('New', { type: 'integer' }) };
    const [before, after] = Object.keys(shapes).map((name) => ({ $ref: `#/$defs/${name}` }));
    expect(await changesOf(before!, after!, shapes)).toEqual([
      ['type', '/rate/id', 'integer instead of string', 'consumers,producers'],
      ['type', '/rate/parts/*/id', 'integer instead of string', 'consumers,producers'],
    ]);
  });

  it('finds no difference of the built-in catalogue to itself', async () => {
    expect(await compareCatalogues(openCatalogue(), openCatalogue())).toEqual([]);
  });

  it('lists removed and added events and versions, and a changed key', async () => {
    const old = [event('a.b'), event('c.d', 'v1'), event('c.d', 'v2'), event('e.f')];
    const young = [event('c.d', 'v2'), event('c.d', 'v3'), event('e.f', 'v1', 'account'), event('g.h')];
    const documents = { shapes: {}, events: {} };
    const differences = await compareCatalogues(catalogueOf(old, documents), catalogueOf(young, documents));
    expect(
      differences.map(({ events, kind, change, breaks }) => [events.join(), kind, change, breaks.length]),
    ).toEqual([
      ['a.b-v1', 'event', 'removed', 2],
      ['c.d-v1', 'version', 'removed', 2],
      ['e.f-v1', 'key', 'partition key "account" instead of "tariff"', 2],
      ['c.d-v3', 'version', 'added', 0],
      ['g.h-v1', 'event', 'added', 0],
    ]);
  });
});

describe('compareCatalogues of a shape', () => {
  /** `Node` contains itself; `whole-v1` has the fields of `Node`; `nullable-v1` has it in an alternative. */
  const node = (value: JsonSchema) =>
    object({ value, children: { type: 'array', items: { $ref: '#/$defs/Node' } } });
  const events = ['whole', 'list', 'nullable', 'other'].map((type) => event(type));
  const catalogue = (value: JsonSchema) =>
    catalogueOf(events, {
      shapes: { Node: node(value) },
      events: {
        'whole-v1': { title: 'Whole', ...node(value) },
        'list-v1': object({ nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } }),
        'nullable-v1': object({ node: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } }),
        'other-v1': object({ name: text }),
      },
    });
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'stays next to an alternative that changes',
      { oneOf: [object({ node: { $ref: '#/$defs/Node' } }), object({ b: text })] },
      { oneOf: [object({ node: { $ref: '#/$defs/Node' } }), object({ c: text })] },
    ],
    [
      'is an alternative, and another is added',
      { oneOf: [{ $ref: '#/$defs/Node' }, object({ b: text })] },
      { oneOf: [{ $ref: '#/$defs/Node' }, object({ b: text }), object({ c: text })] },
    ],
    [
      'is in an alternative that gets a field, and another is added',
      { oneOf: [object({ node: { $ref: '#/$defs/Node' } }), object({ b: text })] },
      {
        oneOf: [
          object({ node: { $ref: '#/$defs/Node' }, d: text }),
          object({ b: text }),
          object({ c: text }),
        ],
      },
    ],
    [
      'stays next to an alternative that is removed',
      { oneOf: [object({ node: { $ref: '#/$defs/Node' } }), object({ b: text })] },
      object({ node: { $ref: '#/$defs/Node' } }),
    ],
  ])('reports the changes of a shape that %s', async (_, before, after) => {
    const tariff = event('tariff.changed');
    const sides = [before, after].map((rate, side) =>
      catalogueOf([tariff], {
        shapes: { Node: node(side === 0 ? text : { type: 'integer' }) },
        events: { [tariff.name]: object({ rate }) },
      }),
    );
    expect(await compareCatalogues(sides[0]!, sides[1]!)).toContainEqual({
      kind: 'type',
      pointer: '/value',
      change: 'integer instead of string',
      breaks: ['consumers', 'producers'],
      shape: 'Node',
      events: ['tariff.changed-v1'],
    });
  });

  const touchedBy = async (reads: FieldReads) => {
    const [difference, ...others] = await compareCatalogues(
      catalogue(text),
      catalogue({ type: 'integer' }),
      reads,
    );
    expect(others).toEqual([]);
    expect(difference).toMatchObject({ shape: 'Node', pointer: '/value', kind: 'type' });
    expect(difference?.events).toEqual(['whole-v1', 'list-v1', 'nullable-v1']);
    return difference?.handlers;
  };

  it('names the handlers that read the changed field, at any depth', async () => {
    expect(
      await touchedBy({
        'whole-v1': {
          reads: ['/children/*/children/*/value'],
          passes: ['/children', '/children/*'],
          none: [],
        },
        'list-v1': { copies: ['/nodes/**'], reads: ['/nodes/*/value'], passes: ['/nodes'] },
        'nullable-v1': { reads: ['/node', '/node/value'], copies: ['/**'] },
        'other-v1': { copies: ['/**'] },
      }),
    ).toEqual({ 'whole-v1': ['reads'], 'list-v1': ['copies', 'reads'], 'nullable-v1': ['reads', 'copies'] });
  });
});

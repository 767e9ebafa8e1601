import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalogue, loadCatalogue, openCatalogue } from 'busbar/catalogue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportAsyncApi } from '../../../catalogue/export/asyncapi.js';
import { exportJsonSchema } from '../../../catalogue/export/components.js';
import { exportOpenApiWebhooks } from '../../../catalogue/export/openapi-webhooks.js';
import type { JsonSchema } from '../../../catalogue/schema.js';
import { readSources } from '../../../catalogue/sources/read-sources.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busbar-documents-'));
  await mkdir(join(directory, 'node_modules'));
});
afterEach(() => rm(directory, { recursive: true }));

async function load(document: object): Promise<Catalogue> {
  await writeFile(join(directory, 'api.json'), JSON.stringify(document));
  return loadCatalogue(['api.json'], { directory });
}

const price = { type: 'object', properties: { pence: { type: 'number' } }, required: ['pence'] };
const own = openCatalogue({
  shapes: [{ $id: 'Price', ...price }],
  events: [
    {
      title: 'TariffChanged',
      description: 'A tariff changed.',
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      'x-busbar-key': 'tariff',
      type: 'object',
      properties: {
        old: { $ref: '#/$defs/Price' },
        period: { $ref: '#/$defs/Period' },
        band: { $ref: '#/$defs/Band' },
      },
      $defs: { Band: { enum: ['DAY', 'NIGHT'] } },
    },
    {
      'x-event-type': 'business.created',
      'x-event-version': 'v1',
      'x-busbar-key': 'business',
      'x-busbar-override': true,
      description: 'A business became a customer.',
      type: 'object',
      properties: { id: { type: ['integer', 'string'] } },
    },
    // A name with characters that a reference escapes, and a payload that is only a shape.
    {
      description: 'A tariff of gas ended.',
      'x-event-type': 'gas/tariff%ended',
      'x-event-version': 'v1',
      'x-busbar-key': 'tariff',
      $ref: '#/$defs/Price',
    },
    // Titles of one other event, and of a built-in shape.
    ...['TariffEnded', 'TariffEnded', 'Period'].map((title, at) => ({
      title,
      description: 'A tariff ended.',
      'x-event-type': 'tariff.ended',
      'x-event-version': `v${at + 1}`,
      'x-busbar-key': 'tariff',
      type: 'object',
      properties: { [`reason_${at + 1}`]: { type: 'integer', format: 'enum-index' } },
    })),
  ],
});

const exports = {
  'JSON Schema': exportJsonSchema,
  AsyncAPI: exportAsyncApi,
  'OpenAPI webhooks': exportOpenApiWebhooks,
};

describe.each(Object.entries(exports))('an exported %s', (_name, exported) => {
  it('reads back equal, with events and shapes of the user', async () => {
    const read = await load(await exported(own));
    expect(new Map(read.events.map((event) => [event.name, event]))).toEqual(
      new Map(own.events.map((event) => [event.name, event])),
    );
    expect(await read.documents()).toEqual(await own.documents());
  });

  it('contains every built-in definition', async () => {
    const builtIn = openCatalogue();
    await writeFile(join(directory, 'api.json'), JSON.stringify(await exported(builtIn)));
    const { events, shapes } = readSources(['api.json'], directory);
    const { events: documents, shapes: builtInShapes } = await builtIn.documents();
    expect(events.map(({ schema }) => schema)).toEqual(Object.values(documents));
    expect(Object.fromEntries(shapes.map(({ name, schema }) => [name, schema]))).toEqual(builtInShapes);
  });
});

describe.each([
  ['AsyncAPI', exportAsyncApi],
  ['OpenAPI webhooks', exportOpenApiWebhooks],
])('components of an exported %s', (_name, exported) => {
  it('give generators 64-bit numbers', async () => {
    const { components } = (await exported(own)) as { components: { schemas: Record<string, JsonSchema> } };
    expect(components.schemas['Price']?.properties).toEqual({ pence: { type: 'number', format: 'double' } });
    expect(components.schemas['BusinessUpdatedV1']?.properties).toMatchObject({
      id: { type: 'integer', format: 'int64' },
    });
  });

  it('keep schemas with one title apart, by the catalogue names of the events', async () => {
    const { components } = (await exported(own)) as { components: { schemas: Record<string, JsonSchema> } };
    const names = Object.keys(components.schemas).filter((name) => /tariff/i.test(name));
    const ended = ['tariff.ended-v1', 'tariff.ended-v2', 'tariff.ended-v3'];
    const others = ['TariffChanged', 'gas_2ftariff_25ended-v1', 'tariff.changed-v1.Band'];
    expect(names.sort()).toEqual([...others, ...ended]);
    expect(components.schemas['Period']?.title).toBe('Period');
  });
});

const payload = { type: 'object', properties: { price: { $ref: '#/components/schemas/Price' } } };
const components = { schemas: { Price: price } };

describe('documents of other tools', () => {
  it.each([
    [
      'a JSON Schema with definitions',
      {
        'x-busbar-key': 'tariff',
        definitions: {
          Price: price,
          'tariff.changed-v1': { type: 'object', properties: { price: { $ref: '#/definitions/Price' } } },
        },
      },
    ],
    [
      'the schemas of a registry of Zod',
      {
        'x-busbar-key': 'tariff',
        schemas: {
          Price: price,
          'tariff.changed-v1': { type: 'object', properties: { price: { $ref: 'Price' } } },
        },
      },
    ],
    [
      'AsyncAPI 3 with one version for all events',
      {
        asyncapi: '3.0.0',
        'x-busbar-key': 'tariff',
        'x-event-version': 'v1',
        components: { ...components, messages: { 'tariff.changed': { payload } } },
      },
    ],
    [
      'AsyncAPI 2',
      {
        asyncapi: '2.6.0',
        'x-busbar-key': 'tariff',
        channels: {
          tariffs: { subscribe: { message: { oneOf: [{ $ref: '#/components/messages/Changed' }] } } },
          'tariff.closed.v2': { publish: { message: { payload } } },
        },
        components: { ...components, messages: { Changed: { name: 'tariff.changed-v1', payload } } },
      },
    ],
    [
      'AsyncAPI 3',
      {
        asyncapi: '3.0.0',
        channels: { tariffs: { messages: { changed: { $ref: '#/components/messages/changed' } } } },
        components: {
          ...components,
          messages: {
            changed: {
              'x-event-type': 'tariff.changed',
              'x-event-version': 'v1',
              'x-busbar-key': 'tariff',
              payload: { schemaFormat: 'application/schema+json;version=draft-07', schema: payload },
            },
          },
        },
      },
    ],
    [
      'OpenAPI webhooks',
      {
        openapi: '3.1.0',
        webhooks: {
          'tariff.changed-v1': {
            post: {
              'x-busbar-key': 'tariff',
              requestBody: { content: { 'application/json': { schema: payload } } },
            },
          },
        },
        components,
      },
    ],
  ])('%s', async (_name, document) => {
    const catalogue = await load(document);
    const event = catalogue.named('tariff.changed-v1')!;
    expect(event).toMatchObject({ type: 'tariff.changed', version: 'v1', key: 'tariff' });
    const validate = await catalogue.validator(event);
    expect([validate({ price: { pence: 1 } }), validate({ price: {} })]).toEqual([true, false]);
    expect(catalogue.hasType('tariff.closed')).toBe(
      'channels' in document && 'tariff.closed.v2' in document.channels,
    );
  });

  it.each([
    [
      'the format of a shape',
      {
        asyncapi: '3.0.0',
        components: {
          messages: { 'tariff.changed-v1': { 'x-busbar-key': 'tariff', payload } },
          schemas: { Price: { schemaFormat: 'application/schema+yaml;version=draft-07', schema: price } },
        },
      },
    ],
    [
      'traits',
      {
        asyncapi: '2.6.0',
        components: {
          ...components,
          messageTraits: { first: { 'x-event-version': 'v1', 'x-busbar-key': 'tariff', name: 'other' } },
          messages: {
            changed: {
              name: 'tariff.changed',
              traits: [{ $ref: '#/components/messageTraits/first' }],
              payload,
            },
          },
        },
      },
    ],
    [
      'a payload that is part of another schema',
      {
        asyncapi: '2.6.0',
        'x-busbar-key': 'tariff',
        components: {
          messages: {
            'price.changed-v1': { payload: { $ref: '#/components/schemas/Price' } },
            'tariff.changed-v1': { payload: { $ref: '#/components/schemas/Tariff' } },
          },
          schemas: {
            ...components.schemas,
            Cost: { $ref: '#/components/schemas/Price' },
            Tariff: {
              properties: { price: { $ref: '#/components/schemas/Cost' } },
            },
          },
        },
      },
    ],
    [
      'the names that generators write',
      {
        'x-busbar-key': 'tariff',
        definitions: {
          'Only<Price>': price,
          'tariff.changed-v1': { properties: { price: { $ref: '#/definitions/Only%3CPrice%3E' } } },
        },
      },
    ],
    [
      'references to its own address, and to that of a part',
      {
        $id: 'https://example.com/all.json',
        'x-busbar-key': 'tariff',
        $defs: {
          Pence: { $id: 'https://example.com/money', type: 'number' },
          Price: { ...price, $id: '/price', properties: { pence: { $ref: 'https://example.com/money' } } },
          'tariff.changed-v1': {
            properties: { price: { $ref: 'https://example.com/all.json#/$defs/Price' } },
          },
        },
      },
    ],
    [
      'the address of a definition in one schema',
      {
        'x-event-type': 'tariff.changed',
        'x-event-version': 'v1',
        'x-busbar-key': 'tariff',
        properties: { price: { $ref: '/price' } },
        $defs: {
          Pence: { type: 'number' },
          Price: { ...price, $id: '/price', properties: { pence: { $ref: '#/$defs/Pence' } } },
        },
      },
    ],
  ])('with %s', async (_name, document) => {
    const catalogue = await load(document);
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    const payloads = [{ price: { pence: 1 } }, { price: {} }, { price: { pence: '1' } }];
    expect(payloads.map(validate)).toEqual([true, false, false]);
  });

  const message = { 'x-busbar-key': 'tariff', payload };
  it.each([
    [
      {
        asyncapi: '3.0.0',
        channels: { all: { messages: { 'tariff.changed-v1': { $ref: './messages.json#/Changed' } } } },
      },
      'cannot be used: it refers to "./messages.json#/Changed". Write all parts in one file.',
    ],
    [
      {
        asyncapi: '3.0.0',
        components: { schemas: { Price: { schemaFormat: 'application/vnd.apache.avro', schema: {} } } },
      },
      'The schema "Price" in "api.json" at "/components/schemas/Price" cannot be used: its "schemaFormat" is',
    ],
    [
      {
        asyncapi: '3.0.0',
        components: { messages: { 'tariff.changed-v1': { $ref: '#/components/messages/50%' } } },
      },
      'The schema "50%" in "api.json" at "/components/messages/50%/payload" cannot be used: it has no schema.',
    ],
    [
      { openapi: '3.1.0', paths: { '/tariffs': {} } },
      'The schema in "api.json" cannot be used: it has no events. Add a message, a webhook or a schema.',
    ],
    [
      { asyncapi: '4.0.0' },
      'The schema in "api.json" at "/asyncapi" cannot be used: its version is "4.0.0". Use version 2 or 3.',
    ],
    [
      { openapi: '3.0.3' },
      'The schema in "api.json" at "/openapi" cannot be used: its version is "3.0.3". Use version 3.1.',
    ],
    [
      { asyncapi: '3.0.0', components: { messages: { 'tariff.changed': message } } },
      'The schema "tariff.changed" in "api.json" at "/components/messages/tariff.changed/payload" cannot be used: it has no "x-event-version".',
    ],
    [
      {
        asyncapi: '3.0.0',
        components: { messages: { 'tariff.changed-v1': { payload: { type: 'object' } } } },
      },
      'at "/components/messages/tariff.changed-v1/payload" cannot be used: it has no "x-busbar-key".',
    ],
    [
      { asyncapi: '3.0.0', components: { messages: { 'tariff.changed-v1': message } } },
      'The schema "tariff.changed-v1" in "api.json" at "/components/messages/tariff.changed-v1/payload/properties/price/$ref" cannot be used: it refers to',
    ],
    [
      {
        asyncapi: '3.0.0',
        channels: { all: { messages: { 'tariff.changed-v1': { $ref: '#/components/messages/Lost' } } } },
      },
      'The schema "Lost" in "api.json" at "/components/messages/Lost/payload" cannot be used: it has no schema.',
    ],
    [
      {
        asyncapi: '2.0.0',
        components: { messages: { x: { schemaFormat: 'application/vnd.apache.avro', payload: {} } } },
      },
      'The schema "x" in "api.json" at "/components/messages/x" cannot be used: its "schemaFormat" is',
    ],
  ])('rejects %j', async (document, message) => {
    await expect(load(document)).rejects.toThrow(message);
  });
});

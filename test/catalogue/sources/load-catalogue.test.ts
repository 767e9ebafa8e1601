import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadCatalogue } from 'busbar/catalogue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busbar-sources-'));
  await mkdir(join(directory, 'node_modules'));
});
afterEach(() => rm(directory, { recursive: true }));

async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    const isFinished = typeof content === 'string' || Buffer.isBuffer(content);
    const text = isFinished ? content : JSON.stringify(content, null, 2);
    await writeFile(join(directory, path), text);
  }
}

const tariffChanged = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  'x-event-type': 'tariff.changed',
  'x-event-version': 'v1',
  'x-busbar-key': 'tariff',
  type: 'object',
  properties: { period: { $ref: '../shapes/Period.json' }, price: { $ref: '../shapes/Price.json' } },
  required: ['price'],
};
const price = {
  $id: 'Price',
  type: 'object',
  properties: { pence: { type: 'number' } },
  required: ['pence'],
};

describe('loadCatalogue', () => {
  it('reads events and shapes from a folder, with the built-in shapes', async () => {
    await write({ 'own/events/tariff.json': tariffChanged, 'own/shapes/Price.json': price });
    const catalogue = await loadCatalogue(['own'], { directory });
    const event = catalogue.named('tariff.changed-v1')!;
    const validate = await catalogue.validator(event);
    expect(validate({ price: { pence: 3 }, period: { start: '2026-01-01', end: null } })).toBe(false);
    expect(validate({ price: { pence: 3 } })).toBe(true);
    expect(Object.keys((await catalogue.schema(event)).$defs ?? {})).toEqual(['Period', 'Price']);
  });

  it('accepts fields, values and foreign keywords that look mistyped', async () => {
    const others = {
      example: 1,
      name: 'b',
      'x-item': 1,
      comment: '',
      count: 2,
      terms: 'c',
      propertyOrder: 3,
    };
    const code = { const: { requird: 1 }, ...others };
    const properties = { requird: { type: 'string' }, code };
    await write({ 'own/a.json': { ...tariffChanged, properties, required: [] } });
    const catalogue = await loadCatalogue(['own'], { directory });
    expect(catalogue.named('tariff.changed-v1')).toBeDefined();
  });

  it('names a shape by the end of its "$id", its title or its file', async () => {
    const shape = { type: 'object', properties: { pence: { type: 'number' } }, required: ['pence'] };
    const base = 'https://example.com/schemas';
    const named = {
      price: [{ $id: `${base}/price.json`, title: 'A price' }, `${base}/price.json`],
      tax: [{ $id: `${base}/tax` }, `${base}/tax`],
      Discount: [{ title: 'Discount' }, '#/$defs/Discount'],
      'net-price': [{ title: 'A net price' }, '../shapes/net-price.json'],
    } as const;
    const properties = Object.fromEntries(
      Object.entries(named).map(([name, [, $ref]]) => [name, { $ref }] as const),
    );
    const shapes = Object.entries(named).map(([name, [about]], index) => [
      `own/shapes/${name === 'net-price' ? name : index}.json`,
      { ...about, ...shape },
    ]);
    const changed = { ...tariffChanged, properties, required: [] };
    await write({ 'own/events/e.json': changed, ...(Object.fromEntries(shapes) as object) });
    const catalogue = await loadCatalogue(['own'], { directory });
    const event = catalogue.named('tariff.changed-v1')!;
    expect(Object.keys((await catalogue.schema(event)).$defs ?? {}).sort()).toEqual(
      Object.keys(named).sort(),
    );
    const validate = await catalogue.validator(event);
    for (const name of Object.keys(named)) {
      expect([name, validate({ [name]: {} })]).toEqual([name, false]);
      expect([name, validate({ [name]: { pence: 1 } })]).toEqual([name, true]);
    }
  });

  const { $id: _, ...unnamed } = price;

  it.each([
    ['common.json', 'common.json#/definitions/Price', { definitions: { Price: unnamed } }],
    [
      'money.json',
      './money.json#/$defs/Price',
      { title: 'Money', type: 'object', $defs: { Price: unnamed } },
    ],
    [
      'all.json',
      'https://example.com/all#/$defs/Price',
      { $id: '/all', type: 'object', $defs: { Price: unnamed } },
    ],
    ['price.schema.json', '../price.schema.json', { $id: 'https://example.com/price', ...unnamed }],
    ['Price.json', 'Price.json', { title: 'MoneyOfOneCurrency', ...unnamed }],
    [
      'tree.json',
      'tree.json',
      { ...unnamed, properties: { ...price.properties, parts: { items: { $ref: '#' } } } },
    ],
  ])('finds a shape in file %s for the reference %s', async (file, $ref, document) => {
    const changed = { ...tariffChanged, properties: { price: { $ref } }, required: ['price'] };
    await write({ 'own/a.json': changed, [`own/${file}`]: document });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    expect([{}, { pence: 1 }].map((price) => validate({ price }))).toEqual([false, true]);
  });

  const of = (property: string) => ({
    type: 'object',
    properties: { [property]: { type: 'number' } },
    required: [property],
  });
  const changedTo = (version: string, $ref: string, others = {}) => ({
    ...tariffChanged,
    'x-event-version': version,
    properties: { price: { $ref } },
    ...others,
  });

  it.each<[what: string, files: Readonly<Record<string, object>>, names: readonly string[]]>([
    [
      'files',
      {
        'own/1/price.json': of('one'),
        'own/2/price.json': of('two'),
        'own/1/e.json': changedTo('v1', './price.json'),
        'own/events/e.json': changedTo('v2', '../2/price.json#'),
      },
      ['1.price', '2.price'],
    ],
    [
      'files of schemas with "$id"',
      {
        'own/one.json': { $id: 'https://example.com/a/v1/price.json', ...of('one') },
        'own/two.json': { $id: 'https://example.com/b/v1/price.json', ...of('two') },
        'own/1.json': changedTo('v1', 'price.json', { $id: 'https://example.com/a/v1/e.json' }),
        'own/2.json': changedTo('v2', './two.json'),
      },
      ['a.v1.price', 'b.v1.price'],
    ],
    [
      'definitions in files',
      {
        'own/1/all.json': {
          $defs: { Price: of('one'), 'tariff.changed-v1': changedTo('v1', '#/$defs/Price') },
        },
        'own/b.json': { definitions: { Price: of('two') } },
        'own/2.json': changedTo('v2', 'b.json#/definitions/Price'),
      },
      ['all.Price', 'b.Price'],
    ],
  ])('distinguishes %s of one name by their paths', async (_what, files, names) => {
    await write(files);
    const catalogue = await loadCatalogue(['own'], { directory });
    expect(catalogue.shapes.slice(-2)).toEqual(names);
    for (const [version, name] of [
      ['v1', 'one'],
      ['v2', 'two'],
    ] as const) {
      const validate = await catalogue.validator(catalogue.find('tariff.changed', version)!);
      expect([{ one: 1 }, { two: 1 }].map((price) => validate({ price }))).toEqual([
        name === 'one',
        name === 'two',
      ]);
    }
  });

  it('advises another "$id" for two shapes of one "$id"', async () => {
    await write({ 'own/1/a.json': price, 'own/1/b.json': price });
    await expect(loadCatalogue(['own'], { directory })).rejects.toThrow(
      'it is in "own/1/a.json", too. Remove one of them, or give it another "$id" and refer to that.',
    );
  });

  it.each(['price.json', 'absent.json#/definitions/Period'])('rejects a reference to %s', async ($ref) => {
    const changed = { ...tariffChanged, properties: { price: { $ref } } };
    const shapes = {
      'own/1/price.json': { $id: 'Old', ...unnamed },
      'own/2/price.json': { $id: 'New', ...unnamed },
    };
    await write({ 'own/a.json': changed, ...shapes });
    await expect(loadCatalogue(['own'], { directory })).rejects.toThrow(`refers to "${$ref}", which is not`);
  });

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    undefined,
  ])('reads a schema of %s with "definitions"', async ($schema) => {
    const changed = {
      ...tariffChanged,
      $schema,
      definitions: {
        Price: price,
        Tax: { type: 'object', properties: { price: { $ref: '#/definitions/Price' } } },
      },
      properties: { tax: { $ref: '#/definitions/Tax' } },
      required: ['tax'],
    };
    await write({ 'own/e.json': changed });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    const payloads = [{ tax: { price: { pence: 1 } } }, { tax: { price: {} } }];
    expect(payloads.map(validate)).toEqual([true, false]);
  });

  it.each(['definitions', '$defs'])('finds the %s of a schema with a "$id" in another', async (keyword) => {
    const inner = {
      $id: 'inner.json',
      [keyword]: { Price: price },
      properties: { price: { $ref: `#/${keyword}/Price` } },
    };
    const properties = { inner, price: { $ref: `inner.json#/${keyword}/Price` } };
    await write({ 'own/e.json': { ...tariffChanged, $id: 'https://example.com/e.json', properties } });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    const payloads = [{ price: { pence: 1 } }, { price: {} }, { inner: { price: {} } }];
    expect(payloads.map((payload) => validate({ price: { pence: 1 }, ...payload }))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(['http://json-schema.org/draft-04/schema#', undefined])(
    'reads lists of items and exclusive limits of a schema of %s',
    async ($schema) => {
      const quantity = {
        type: 'number',
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: false,
      };
      const pair = { type: 'array', items: [{ type: 'string' }, quantity], additionalItems: false };
      const properties = { pair, last: { $ref: '#/properties/pair/items/1' } };
      await write({ 'own/e.json': { ...tariffChanged, $schema, properties, required: [] } });
      const catalogue = await loadCatalogue(['own'], { directory });
      const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
      const pairs = [['a', 9], ['a'], ['a', 0], [1], ['a', 1, 1]];
      expect(pairs.map((each) => validate({ pair: each }))).toEqual([true, true, false, false, false]);
      expect([9, 0, 10].map((last) => validate({ last }))).toEqual([true, false, false]);
    },
  );

  it('accepts null where "nullable" stands next to any keywords', async () => {
    const properties = {
      price: { $ref: '#/$defs/Price', nullable: true, description: 'A price.' },
      kind: { enum: ['A'], nullable: true },
      other: { enum: ['A'], nullable: false },
      nullable: { type: 'string', nullable: true },
      old: { type: 'string', enum: ['A', null], 'x-nullable': true, 'x-pattern': 'a' },
    };
    await write({ 'own/e.json': { ...tariffChanged, properties, required: [] }, 'own/Price.json': price });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    const valid = [
      { price: null, kind: null, nullable: null, old: null },
      { price: { pence: 1 }, kind: 'A', other: 'A' },
    ];
    expect(valid.map(validate)).toEqual([true, true]);
    const invalid = [{ price: {} }, { kind: 'B' }, { other: null }];
    expect(invalid.map(validate)).toEqual([false, false, false]);
  });

  it('keeps values and names of fields that look like keywords', async () => {
    const value = { $ref: '#/x', $id: 'x', nullable: true, properties: { nullable: true }, format: 'int64' };
    const properties = {
      $ref: { type: 'string' },
      $id: { type: 'string' },
      nullable: true,
      fixed: { const: value, default: value, examples: [value] },
      listed: { enum: [value] },
    };
    const event = { ...tariffChanged, properties, required: [], dependentSchemas: { nullable: true } };
    await write({ 'own/e.json': event, 'all.json': { $defs: { 'tariff.switched-v1': event } } });
    for (const name of ['own', 'all.json']) {
      const catalogue = await loadCatalogue([name], { directory });
      const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
      const payload = { $ref: 'a', $id: 'b', nullable: false, fixed: value, listed: value };
      expect([payload, { fixed: {} }, { $ref: 1 }].map(validate)).toEqual([true, false, false]);
    }
  });

  it('validates by "unevaluatedProperties"', async () => {
    const properties = { code: { type: 'string' } };
    await write({
      'own/tariff.json': { ...tariffChanged, properties, required: [], unevaluatedProperties: false },
    });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    expect([{ code: 'E' }, { code: 'E', other: 1 }].map(validate)).toEqual([true, false]);
  });

  it.each<[keyword: string, schema: object, valid: object, invalid: object]>([
    ['propertyNames', { propertyNames: { pattern: '^[a-z]+$' } }, { a: '1' }, { A: '1' }],
    ['if', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: '1', b: '1' }, { a: '1' }],
    ['not', { not: { required: ['a'], properties: { a: { const: '1' } } } }, { a: '2' }, { a: '1' }],
    ['const', { properties: { a: { const: { b: { c: '}];' } } } } }, { a: { b: { c: '}];' } } }, { a: {} }],
  ])('validates by "%s", and by keywords after it', async (_keyword, schema, valid, invalid) => {
    const others = { type: 'object', additionalProperties: { minLength: 1 } };
    await write({
      'own/tariff.json': { ...tariffChanged, properties: {}, required: [], ...others, ...schema },
    });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
    expect([valid, invalid, { ...valid, other: '' }].map(validate)).toEqual([true, false, false]);
  });

  it.each(['com.example/tariff', 'tariff 50%~', 'a/../b'])('reads an event of type %j', async (type) => {
    const event = {
      ...tariffChanged,
      'x-event-type': type,
      properties: { code: { $ref: '#/$defs/50% code' }, größe: { $ref: '#/$defs/Größe' } },
      required: ['code'],
      $defs: { '50% code': { type: 'string' }, Größe: { type: 'number' } },
    };
    await write({ 'own/tariff.json': event });
    const catalogue = await loadCatalogue(['own'], { directory });
    const validate = await catalogue.validator(catalogue.find(type, 'v1')!);
    expect([{ code: 'E', größe: 1 }, { code: 1 }].map(validate)).toEqual([true, false]);
  });

  it('reads a file with a byte order mark', async () => {
    await write({ 'own/tariff.json': `\uFEFF${JSON.stringify({ ...tariffChanged, properties: {} })}` });
    const catalogue = await loadCatalogue(['own'], { directory });
    expect(catalogue.named('tariff.changed-v1')).toBeDefined();
  });

  it('leaves out the files of packages and of tools', async () => {
    await write({ 'tariff.json': tariffChanged, 'Price.json': price });
    await write({ 'node_modules/a/package.json': { type: 'module' }, '.cache/a.json': 'no JSON' });
    const catalogue = await loadCatalogue(['.'], { directory });
    expect(catalogue.hasType('tariff.changed')).toBe(true);
  });

  it('reads single files, each once', async () => {
    await write({ 'own/tariff.json': tariffChanged, 'own/Price.json': price });
    const catalogue = await loadCatalogue(['own', 'own/tariff.json'], { directory });
    expect(catalogue.hasType('tariff.changed')).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('follows links to folders, and ignores broken ones', async () => {
    await write({ 'other/tariff.json': tariffChanged, 'own/Price.json': price });
    await symlink(join(directory, 'other'), join(directory, 'own/linked'));
    await symlink(join(directory, 'none'), join(directory, 'own/broken'));
    const catalogue = await loadCatalogue(['own'], { directory });
    expect(catalogue.hasType('tariff.changed')).toBe(true);
    await symlink(join(directory, 'none'), join(directory, 'own/broken.json'));
    await expect(loadCatalogue(['own'], { directory })).rejects.toThrow(
      'Catalogue "own/broken.json" cannot be read: ENOENT. Name a file or a folder of schemas.',
    );
  });

  it.each([
    [{ 'own/a.json': '{\n  "type": "object",\n  oops\n}' }, 'File "own/a.json" is not JSON at line 3.'],
    [{ 'own/a.json': '[]' }, 'File "own/a.json" is not an object.'],
    [
      { 'own/a.json': { subject: 'tariff-value', version: 1, schema: JSON.stringify(tariffChanged) } },
      'The schema in "own/a.json" at "/schema" cannot be used: it is a string, as schema registries return it. Save it as a file: jq -r .schema own/a.json > schema.json',
    ],
    [
      { 'own/a.json': Buffer.from('\uFEFF{}', 'utf16le') },
      'File "own/a.json" is in UTF-16. Save it as UTF-8.',
    ],
    [
      { 'own/a.json': Buffer.from('{ "enum": ["café"] }', 'latin1') },
      'File "own/a.json" is not in UTF-8. Save it as UTF-8.',
    ],
    [{ 'own/a.json': Buffer.from('{}', 'utf16le') }, 'File "own/a.json" is in UTF-16. Save it as UTF-8.'],
    [
      { 'own/a.json': tariffChanged, 'own/b.json': tariffChanged, 'own/c.json': price },
      'The schema "tariff.changed-v1" in "own/b.json" cannot be used: it is in "own/a.json", too.',
    ],
    [
      { 'own/a.json': { ...tariffChanged, properties: { old: price, price: { $ref: '1/old' } } } },
      'it refers to "1/old", which is a relative pointer. Generate references from the root: "#/properties/<field>".',
    ],
    [
      { 'own/a.json': tariffChanged },
      'The schema "tariff.changed-v1" in "own/a.json" at "/properties/price/$ref" cannot be used: it refers to',
    ],
    [
      { 'own/a.json': { ...tariffChanged, properties: { price: { type: 'strng' } } } },
      'The schema "tariff.changed-v1" in "own/a.json" at "/properties/price/type" cannot be used: it must be one of "array", "boolean", "integer",',
    ],
    [
      { 'own/a.json': { ...tariffChanged, properties: { price: { requird: ['pence'] } } } },
      'The schema "tariff.changed-v1" in "own/a.json" at "/properties/price" cannot be used: it has "requird" instead of "required".',
    ],
    [
      { 'own/a.json': { ...tariffChanged, properties: { code: { pattern: '(' } } } },
      'The schema "tariff.changed-v1" in "own/a.json" at "/properties/code/pattern" cannot be used: it is not a regular expression with the flag "u".',
    ],
    [
      {
        'own/a.json': {
          ...tariffChanged,
          properties: { map: { patternProperties: { '^[\\w-.]+$': true } } },
        },
      },
      'at "/properties/map/patternProperties/^[\\w-.]+$" cannot be used: it is not a regular expression with the flag "u". Escape a dash between classes ("[\\w\\-.]"), and only special characters.',
    ],
    [
      { 'own/a.json': { ...tariffChanged, properties: {}, $defs: { Band: { enum: 3 } } } },
      'The schema "tariff.changed-v1" in "own/a.json" at "/$defs/Band/enum" cannot be used: it must be array.',
    ],
    [
      { 'own/a.json': { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1' } },
      'The schema "tariff.changed" in "own/a.json" cannot be used: it has no "x-busbar-key".',
    ],
    [
      { 'own/a.json': { 'x-event-type': 'tariff.changed' } },
      'The schema "tariff.changed" in "own/a.json" cannot be used: it has no "x-event-version".',
    ],
    [
      { 'own/tariff.avsc': '{}' },
      'Folder "own" has no schemas. Busbar does not read ".avsc" files. Write JSON Schemas in ".json" files.',
    ],
    [{ 'own/tariff.proto': '' }, 'Busbar does not read ".proto" files.'],
    [{ 'own/note.txt': '' }, 'Folder "own" has no schemas. Add one: busbar catalogue new my.event-v1'],
    [
      { 'own/a.json': tariffChanged, 'own/b.yaml': 'type: object' },
      `Busbar does not read YAML: file "${join('own', 'b.yaml')}". Convert it: npx js-yaml ${join('own', 'b.yaml')} > ${join('own', 'b.json')}`,
    ],
    [{}, 'Catalogue "own" cannot be read: ENOENT.'],
  ])('rejects %j', async (files, message) => {
    await write(files);
    await expect(loadCatalogue(['own'], { directory })).rejects.toThrow(message);
  });

  it('refuses YAML with the command that converts it, unless it was converted', async () => {
    await write({ 'own/api.yml': 'type: object' });
    await expect(loadCatalogue(['own/api.yml'], { directory })).rejects.toThrow(
      `Busbar does not read YAML: file "${join('own', 'api.yml')}". Convert it: npx js-yaml ${join('own', 'api.yml')} > ${join('own', 'api.json')}`,
    );
    await write({ 'own/api.yml': 'type: object', 'own/api.json': { ...tariffChanged, properties: {} } });
    await expect(loadCatalogue(['own'], { directory })).resolves.toBeDefined();
  });

  it('refuses YAML in a folder only if it has schemas', async () => {
    await write({
      'own/api.json': { ...tariffChanged, properties: {} },
      'own/docker-compose.yaml': 'services: {}',
    });
    await expect(loadCatalogue(['own'], { directory })).resolves.toBeDefined();
    await write({ 'own/price.yaml': '# A price\ntype: object\nproperties:\n  pence: {}' });
    await expect(loadCatalogue(['own'], { directory })).rejects.toThrow('Busbar does not read YAML: file "');
  });

  it('refuses a URL with the command that downloads it', async () => {
    await expect(loadCatalogue(['https://example.com/api.json'])).rejects.toThrow(
      'A catalogue is a file or a folder, not "https://example.com/api.json". Download it: curl -o catalogue.json https://example.com/api.json',
    );
  });
});

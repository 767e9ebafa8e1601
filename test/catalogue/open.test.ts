import { type JsonSchema, openCatalogue } from 'busbar/catalogue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../src/base/errors.js';
import { cases } from '../cases.js';
import { counts } from './counts.js';

const catalogue = openCatalogue();
const event = (type: string, version: string) => catalogue.find(type, version)!;

describe('an open catalogue', () => {
  it('contains every event version, by type and version', () => {
    expect(catalogue.events).toHaveLength(counts.versions);
    expect(new Set(catalogue.events.map(({ type }) => type)).size).toBe(counts.types);
    expect(catalogue.shapes).toHaveLength(counts.shapes);
    const names = catalogue.events.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  });

  it('returns the same object each time', () => {
    expect(catalogue.find('account.created', 'v1')).toBe(catalogue.named('account.created-v1'));
    expect(catalogue.events).toContain(catalogue.find('account.created', 'v1'));
  });

  it('describes an event', () => {
    expect(event('lifecycle.support-site.sale', '1.0.0')).toEqual({
      name: 'lifecycle.support-site.sale-1.0.0',
      type: 'lifecycle.support-site.sale',
      version: '1.0.0',
      group: 'enrolment-and-loyalty',
      domain: 'lifecycle',
      key: 'account',
    });
    expect(event('dunning_path_paused', 'v1').domain).toBe('dunning_path');
  });

  it('lists the versions of a type, none for an unknown type', () => {
    expect(catalogue.versionsOf('billing.billing_document_representation.dispatched')).toEqual([
      'v1',
      'v2',
      'v3',
    ]);
    expect(catalogue.versionsOf('lifecycle.leave-supplier.completed')).toEqual(['v3']);
    expect(catalogue.find('lifecycle.leave-supplier.completed', 'v1')).toBeUndefined();
    expect(catalogue.versionsOf('account.creatd')).toEqual([]);
    expect(catalogue.hasType('account.creatd')).toBe(false);
    expect(catalogue.hasType('constructor')).toBe(false);
    expect(catalogue.find('__proto__', 'v1')).toBeUndefined();
  });

  it('finds names similar to a mistyped one', () => {
    expect(catalogue.nearest('account.creatd')[0]).toBe('account.created');
    expect(catalogue.nearest('account.creatd-v1')[0]).toBe('account.created-v1');
    expect(catalogue.nearest('lifecycle.join_supplier.completed')[0]).toBe(
      'lifecycle.join-supplier.completed',
    );
    expect(catalogue.nearest('entry_posted')).toContain('billing.ledger.entry_posted');
    expect(catalogue.nearest('billing.billing_document.issued-v9', 2)).toEqual([
      'billing.billing_document.issued-v1',
      'billing.billing_document.issued-v2',
    ]);
    expect(catalogue.nearest('zebra')).toEqual([]);
    expect(catalogue.nearest('x'.repeat(10_000_000))).toEqual([]);
  });

  it('finds every type again after any one edit', () => {
    const types = catalogue.events.map(({ type }) => type);
    const letter = fc.constantFrom('a', 'e', 'q', 'z', '.', '_', '-');
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.nat(100), letter, fc.nat(3), (type, place, by, kind) => {
        const at = place % (type.length - 1);
        const [before, one, two, after] = [type.slice(0, at), type[at], type[at + 1], type.slice(at + 2)];
        const edits = [`${before}${two}${after}`, `${before}${by}${one}${two}${after}`];
        edits.push(`${before}${by}${two}${after}`, `${before}${two}${one}${after}`);
        return catalogue.nearest(edits[kind] ?? '', 10).includes(type);
      }),
      { numRuns: cases(60, 300), seed: 4 },
    );
  });

  it('returns standalone schemas', async () => {
    const schema = await catalogue.schema(event('contract-groups.version-created', 'v1'));
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'contract-groups.version-created-v1',
      'x-event-type': 'contract-groups.version-created',
      'x-event-version': 'v1',
    });
    expect(Object.keys(schema.$defs ?? {})).toEqual(['Period', 'Trait', 'Version']);
    expect(schema.properties?.created_versions).toMatchObject({
      type: 'array',
      items: { $ref: '#/$defs/Version' },
    });
  });

  it('copies the fields of a payload that consists of one shape', async () => {
    const schema = await catalogue.schema(
      event('meterpoint.gas.disputed_closing_reading.queried.by_us', 'v1'),
    );
    expect(Object.keys(schema.properties ?? {})).toHaveLength(22);
    expect(schema.required).toHaveLength(22);
    expect(schema.allOf).toBeUndefined();
  });

  it('loads a validator once, and then returns it synchronously', async () => {
    const fresh = openCatalogue();
    const created = fresh.find('account.created', 'v1')!;
    expect(fresh.loadedValidator(created)).toBeUndefined();
    const validate = await fresh.validator(created);
    expect(await fresh.validator(created)).toBe(validate);
    expect(fresh.loadedValidator(created)).toBe(validate);
  });

  it('accepts the event of another catalogue if it has the same one', async () => {
    const other = openCatalogue({ events: [tariffChanged] });
    const validate = await catalogue.validator(other.find('account.created', 'v1')!);
    expect(validate).toBe(catalogue.loadedValidator(event('account.created', 'v1')));
    await expect(catalogue.validator(other.named('tariff.changed-v1')!)).rejects.toThrow(
      'This catalogue has no event "tariff.changed-v1".',
    );
  });
});

describe('explain', () => {
  const created = event('account.created', 'v1');

  it('returns all violations by pointer and rule', async () => {
    expect(await catalogue.explain(created, { account_user_emails: ['a', 4, null] })).toEqual([
      { pointer: '/account_number', rule: 'required', message: 'is required' },
      { pointer: '/account_user_emails/1', rule: 'type', message: 'must be string' },
      { pointer: '/account_user_emails/2', rule: 'type', message: 'must be string' },
    ]);
    expect(await catalogue.explain(created, null)).toEqual([
      { pointer: '', rule: 'type', message: 'must be object' },
    ]);
    expect(await catalogue.explain(created, { account_number: 'A', account_user_emails: [] })).toEqual([]);
  });

  it('includes unknown fields at every level with "strict"', async () => {
    const posted = event('billing.ledger.entry_posted', 'v1');
    const payload = { ledger: { account: { number: 'A', 'a/b~c': 1 }, number: 'L' }, extra: 1 };
    expect(await catalogue.explain(posted, payload)).toEqual([]);
    expect(await catalogue.explain(posted, payload, { strict: true })).toEqual([
      { pointer: '/extra', rule: 'additionalProperties', message: 'is not a known field' },
      { pointer: '/ledger/account/?', rule: 'additionalProperties', message: 'is not a known field' },
    ]);
    const free = { id: 1, changes: { anything: 1 } };
    expect(await catalogue.explain(event('business.updated', 'v1'), free, { strict: true })).toEqual([]);
  });

  it('contains no values', async () => {
    const secret = 'robin@example.com';
    const payload = { account_number: 1, account_user_emails: secret, is_imported: secret };
    expect(JSON.stringify(await catalogue.explain(created, payload))).not.toContain(secret);
  });

  it('contains no keys of a map', async () => {
    const rates = { type: 'object', additionalProperties: { items: { type: 'integer' } } };
    const schema = { ...tariffChanged, properties: { 'rates/a~b': rates }, required: [] };
    const own = openCatalogue({ events: [schema] });
    const payload = { 'rates/a~b': { Jane: [1, ''], '0770090012': [''] } };
    const violations = await own.explain(own.named('tariff.changed-v1')!, payload);
    expect(violations.map(({ pointer }) => pointer)).toEqual(['/rates~1a~0b/?/1', '/rates~1a~0b/?/0']);
  });

  it('limits the number and the length of violations', async () => {
    const many = { account_number: 'A', account_user_emails: Array.from({ length: 5_000 }, () => 1) };
    expect(await catalogue.explain(created, many)).toHaveLength(100);
    const huge = { account_number: 'A', account_user_emails: Array.from({ length: 100_000 }, () => 1) };
    expect(await catalogue.explain(created, huge)).toHaveLength(1);
    const own = openCatalogue({ events: [{ ...tariffChanged, required: ['x'.repeat(300)] }] });
    const [missing] = await own.explain(own.named('tariff.changed-v1')!, {});
    expect(missing?.pointer).toHaveLength(201);
  });
});

const tariffChanged: JsonSchema = {
  title: 'TariffChanged',
  description: 'A tariff changed its price.',
  'x-event-type': 'tariff.changed',
  'x-event-version': 'v1',
  type: 'object',
  properties: {
    tariff_code: { type: 'string', pattern: '^E-' },
    period: { $ref: '../../shapes/Period.json' },
    price: { $ref: '#/$defs/Price' },
  },
  required: ['tariff_code'],
  $defs: {
    Price: { type: 'object', properties: { pence: { type: 'number', minimum: 0 } }, required: ['pence'] },
  },
};

describe('a catalogue with events of the user', () => {
  it('lists them last, with schema and validator', async () => {
    const own = openCatalogue({ events: [tariffChanged] });
    const changed = own.find('tariff.changed', 'v1')!;
    expect(own.events.at(-1)).toBe(changed);
    expect(changed).toMatchObject({ name: 'tariff.changed-v1', group: 'tariff' });
    expect(own.nearest('tarif.changed')).toEqual(['tariff.changed']);

    const validate = await own.validator(changed);
    expect(validate({ tariff_code: 'E-1R', price: { pence: 3 } })).toBe(true);
    expect(validate({ tariff_code: 'G-1R' })).toBe(false);
    const payload = { tariff_code: 'G-1R', price: { pence: -1 }, period: {} };
    expect(
      (await own.explain(changed, payload)).map(({ pointer, rule }) => `${pointer} ${rule}`).sort(),
    ).toEqual([
      '/period/end required',
      '/period/start required',
      '/price/pence minimum',
      '/tariff_code pattern',
    ]);
    const schema = await own.schema(changed);
    expect(Object.keys(schema.$defs ?? {})).toEqual(['Period', 'tariff.changed-v1.Price']);
  });

  it('orders their versions by number, not as the schemas are ordered', () => {
    const own = openCatalogue({
      events: ['v10', 'v2', '1.10', '1.9', '2025-12-31', '2026-02-01', 'draft', 'v1'].map((version) => ({
        ...tariffChanged,
        'x-event-version': version,
      })),
    });
    const ordered = ['draft', 'v1', '1.9', '1.10', 'v2', 'v10', '2025-12-31', '2026-02-01'];
    expect(own.versionsOf('tariff.changed')).toEqual(ordered);
    expect(own.events.slice(-8).map(({ version }) => version)).toEqual(ordered);
  });

  it('orders their versions of a built-in type among the built-in ones', () => {
    const older = { ...tariffChanged, 'x-event-type': 'lifecycle.leave-supplier.completed' };
    const own = openCatalogue({ events: [{ ...older, 'x-busbar-key': 'account', 'x-event-version': 'v2' }] });
    expect(own.versionsOf('lifecycle.leave-supplier.completed')).toEqual(['v2', 'v3']);
  });

  it('replaces built-in ones that they override', async () => {
    const wider: JsonSchema = {
      'x-event-type': 'business.created',
      'x-event-version': 'v1',
      'x-busbar-override': true,
      type: 'object',
      properties: { id: { type: ['integer', 'string'] } },
      required: ['id'],
    };
    const own = openCatalogue({ events: [wider] });
    expect(own.events).toHaveLength(counts.versions);
    const validate = await own.validator(own.find('business.created', 'v1')!);
    expect([validate({ id: 1 }), validate({ id: 'B-1' }), validate({})]).toEqual([true, true, false]);
    const builtIn = await catalogue.validator(event('business.created', 'v1'));
    expect(builtIn({ id: 'B-1' })).toBe(false);
  });

  it('replaces a shape in exactly the events that use it', async () => {
    const period: JsonSchema = {
      $id: 'Period',
      'x-busbar-override': true,
      type: 'object',
      properties: { start: { type: 'string' } },
    };
    const own = openCatalogue({ shapes: [period] });
    const reached = own.find('contract-groups.version-created', 'v1')!;
    const payload = {
      contract_group_identifier: 'G',
      effective_period: {},
      superseded_versions: [],
      created_versions: [],
    };
    expect((await own.validator(reached))(payload)).toBe(true);
    expect((await catalogue.validator(reached))(payload)).toBe(false);
    const other = own.find('account.created', 'v1')!;
    expect(await own.validator(other)).toBe(await catalogue.validator(other));
  });

  it('checks recursive shapes, and survives very deep payloads', async () => {
    const tree: JsonSchema = { $id: 'Tree', type: 'object', properties: { child: { $ref: './Tree.json' } } };
    const own = openCatalogue({
      shapes: [tree],
      events: [
        {
          'x-event-type': 'tree.grown',
          'x-event-version': 'v1',
          type: 'object',
          properties: { root: { $ref: './Tree.json' } },
        },
      ],
    });
    const grown = own.named('tree.grown-v1')!;
    const validate = await own.validator(grown);
    expect(validate({ root: { child: { child: {} } } })).toBe(true);
    expect(validate({ root: { child: { child: 1 } } })).toBe(false);
    let deep: unknown = {};
    for (let level = 0; level < 1_000_000; level++) deep = { child: deep };
    expect(validate({ root: deep })).toBe(false);
    expect(await own.explain(grown, { root: deep })).toMatchObject([{ rule: 'depth' }]);
  });

  it('uses their key, else that of the built-in versions, else account', () => {
    const schema = (type: string, version: string, key?: string): JsonSchema => ({
      'x-event-type': type,
      'x-event-version': version,
      ...(version === 'v1' && catalogue.hasType(type) && { 'x-busbar-override': true }),
      ...(key !== undefined && { 'x-busbar-key': key }),
    });
    const own = openCatalogue({
      events: [
        schema('tariff.changed', 'v1', 'tariff'),
        schema('account_user.created', 'v1'),
        schema('account_user.created', 'v9'),
        schema('tree.grown', 'v1'),
        schema('business.created', 'v1', 'account'),
      ],
    });
    const keyOf = (name: string) => own.named(name)?.key;
    expect(keyOf('tariff.changed-v1')).toBe('tariff');
    expect([keyOf('account_user.created-v1'), keyOf('account_user.created-v9')]).toEqual(['user', 'user']);
    expect(keyOf('tree.grown-v1')).toBe('account');
    expect(keyOf('business.created-v1')).toBe('account');
    expect(() => openCatalogue({ events: [schema('business.created', 'v2', 'account')] })).toThrow(
      'The schema "business.created-v2" in events[0] cannot be used: its "x-busbar-key" is "account", that of "business.created-v1"' +
        ' is "business". Use one key for all versions of an event type.',
    );
  });

  it.each([
    [
      { ...tariffChanged, 'x-busbar-key': 7 },
      'The schema "tariff.changed-v1" in events[0] cannot be used: its "x-busbar-key" must be a word.',
    ],
    [{ type: 'object' }, 'The schema in events[0] cannot be used: it has no "x-event-type".'],
    [
      { 'x-event-type': 'a.b', title: 'Ab' },
      'The schema "a.b" in events[0] cannot be used: it has no "x-event-version".',
    ],
    [[], 'The schema in events[0] cannot be used: it is not an object.'],
    [
      { ...tariffChanged, properties: { period: { $ref: '#/$defs/Perod' } } },
      'The schema "tariff.changed-v1" in events[0] at "/properties/period/$ref" cannot be used: it refers to "#/$defs/Perod", which is not a shape. Refer to a shape as "#/$defs/<Shape>". Did you mean "Period"?',
    ],
    [
      { ...tariffChanged, $schema: 'http://json-schema.org/draft-03/schema#' },
      'Write it in JSON Schema 2020-12',
    ],
  ])('rejects an unusable schema: %j', (schema, message) => {
    expect(() => openCatalogue({ events: [schema as JsonSchema] })).toThrow(BusbarError);
    expect(() => openCatalogue({ events: [schema as JsonSchema] })).toThrow(message);
  });

  it('rejects a second definition of a name, and shows both places', () => {
    expect(() => openCatalogue({ events: [tariffChanged, tariffChanged] })).toThrow(
      'The schema "tariff.changed-v1" in events[1] cannot be used: it is in events[0], too. Remove one of them.',
    );
    const created = { 'x-event-type': 'account.created', 'x-event-version': 'v1' };
    expect(() => openCatalogue({ events: [created] })).toThrow(
      'The schema "account.created-v1" in events[0] cannot be used: it is in the built-in catalogue, too.',
    );
    expect(() => openCatalogue({ shapes: [{ $id: 'Period', type: 'object' }] })).toThrow(
      'The schema "Period" in shapes[0] cannot be used: it is in the built-in catalogue, too.',
    );
  });

  it('rejects an override that replaces nothing', () => {
    expect(() => openCatalogue({ events: [{ ...tariffChanged, 'x-busbar-override': true }] })).toThrow(
      'it replaces nothing, because the built-in catalogue lacks it.',
    );
  });

  it('rejects shapes that consist of themselves', () => {
    const shapes = [
      { $id: 'Hen', oneOf: [{ type: 'null' }, { $ref: 'Egg.json' }] },
      { $id: 'Egg', $ref: 'Hen.json' },
    ];
    expect(() => openCatalogue({ shapes })).toThrow(
      'The schema "Hen" in shapes[0] cannot be used: it refers to itself without a property between.',
    );
  });

  it('names an invalid JSON Schema at its first use', async () => {
    const own = openCatalogue({ events: [{ ...tariffChanged, type: 'strng' }] });
    await expect(own.validator(own.named('tariff.changed-v1')!)).rejects.toThrow(
      /^The schema "tariff\.changed-v1" cannot be used: .*\.$/,
    );
  });
});

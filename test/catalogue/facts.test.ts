import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareFiles, readFiles } from './compare-files.js';
import { counts } from './counts.js';
import { type Facts, type Field, resolveFacts } from './resolve-facts.js';

const text = readFileSync(new URL('./facts.txt', import.meta.url), 'utf8');
const facts = resolveFacts(text);
const files = readFiles(fileURLToPath(new URL('../../catalogue', import.meta.url)));

const fieldsOf = (type: string, version: string) =>
  facts.events
    .find((event) => event.type === type && event.version === version)
    ?.fields.map((field) => `${field.name}${field.required ? '*' : ''} ${field.type}`);

describe('the facts of the catalogue', () => {
  it('list each event version and each shape of the catalogue once', () => {
    expect(new Set(facts.events.map((event) => event.type)).size).toBe(counts.types);
    expect(new Set(facts.events.map((event) => `${event.type} ${event.version}`)).size).toBe(counts.versions);
    expect(facts.events).toHaveLength(counts.versions);
    expect(facts.shapes.size).toBe(counts.shapes);
  });

  it('resolve "the fields of", "in place of" and "the v2 fields plus"', () => {
    expect(fieldsOf('deposit_agreement.withdrawn', 'v1')).toEqual([
      'deposit_key* string',
      'reason* string',
      'amount* integer',
      'account_number* string',
      'ledger_identifier* string',
      'withdrawn_at* string',
    ]);
    expect(fieldsOf('lifecycle.leave-supplier.updated', 'v3')).toEqual([
      'account_number* string',
      'leave_supplier_process_id* integer',
      'leave_supplier_process_subtype* string',
      'supply_points* [LeaveSupplyPoint]',
      'requested_supply_end_at* string',
      'requested_supply_end_date* string',
      'updated_at* string',
      'is_passive* boolean',
      'passive_loss_instigated_supply_point_id integer',
      'leave_supplier_process_number* string',
    ]);
    expect(fieldsOf('billing.billing_document_representation.dispatched', 'v3')?.slice(-3)).toEqual([
      'billing_document_representation_dispatch_id* integer',
      'billing_document_representations_id* [integer]',
      'support_user_id* integer',
    ]);
  });

  it('resolve names that are written as a suffix', () => {
    expect(fieldsOf('external_messaging.uploaded_file.unsafe', 'v1')).toEqual(['file_reference* string']);
    expect(fieldsOf('lifecycle.join-supplier.await-pre-discovery-flow-step.initiated', 'v1')).toHaveLength(3);
  });

  it('take the first eight fields of a payload that is listed in part', () => {
    const fields = fieldsOf('meterpoint.gas.disputed_opening_reading.accepted.other_supplier', 'v1');
    expect(fields).toHaveLength(8);
    expect(fields?.at(-1)).toBe('ro_contact_name* string');
  });

  it('reject a line that refers to nothing', () => {
    expect(() => resolveFacts('## billing\na.b v2: the v1 fields plus c*')).toThrow(
      '"the v1 fields" (of "a.b")',
    );
  });
});

describe('the files of the catalogue', () => {
  it('match the facts in each flag, type, name and their order', () => {
    expect(compareFiles(facts, files)).toEqual([]);
  });

  it('use a unique title each, which names the type', () => {
    expect(new Set([...files.values()].map((schema) => schema.title)).size).toBe(files.size);
  });

  it('reach every shape but the eight that no listed event uses', () => {
    const references = (path: string): string[] =>
      [...JSON.stringify(files.get(path)).matchAll(/shapes\/(\w+)\.json|\.\/(\w+)\.json/g)].map(
        (match) => `shapes/${match[1] ?? match[2] ?? ''}.json`,
      );
    const reached = new Set<string>();
    const follow = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      references(path).forEach(follow);
    };
    [...files.keys()].filter((path) => path.startsWith('events/')).forEach(follow);
    expect([...files.keys()].filter((path) => !reached.has(path)).sort()).toEqual(
      ['HouseMoveAccount', 'HouseMoveSupplyPoint', 'Meter', 'Payment', 'PaymentsAccount', 'PaymentsLedger']
        .concat(['Register', 'RemovedMeter'])
        .map((name) => `shapes/${name}.json`),
    );
  });
});

interface Editable {
  required: string[];
  properties: Record<string, Record<string, unknown>>;
  [keyword: string]: unknown;
}

const event = 'events/meterpoint/meterpoint.gas.cos_gain.mtd_received-v1.json';
const shape = 'shapes/OptimisationCreated.json';

function without(record: Editable['properties'], name: string): Editable['properties'] {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

const mutations: readonly (readonly [string, string, (schema: Editable) => void])[] = [
  ['a field made optional', event, (schema) => void schema.required.pop()],
  ['a field made required', event, (schema) => void schema.required.push('meter_link_code')],
  ['another order of required', event, (schema) => void schema.required.reverse()],
  ['another type', event, (schema) => void (schema.properties.building_number = { type: 'string' })],
  ['number for integer', event, (schema) => void (schema.properties.last_reading = { type: 'number' })],
  [
    'a corrected spelling',
    event,
    (schema) => {
      schema.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [
          name.replace('principle', 'principal'),
          each,
        ]),
      );
      schema.required = schema.required.map((name) => name.replace('principle', 'principal'));
    },
  ],
  [
    'another order of fields',
    event,
    (schema) => {
      const { mprn = {} } = schema.properties;
      schema.properties = { ...without(schema.properties, 'mprn'), mprn };
    },
  ],
  [
    'a field left out',
    event,
    (schema) => void (schema.properties = without(schema.properties, 'meter_link_code')),
  ],
  ['a field too many', event, (schema) => void (schema.properties.extra = { type: 'string' })],
  [
    'a format',
    event,
    (schema) => void (schema.properties.last_reading_on = { type: 'string', format: 'date' }),
  ],
  ['a closed object', event, (schema) => void (schema.additionalProperties = false)],
  ['another version', event, (schema) => void (schema['x-event-version'] = 'v2')],
  ['another group', event, (schema) => void (schema['x-group'] = 'billing')],
  ['no description', event, (schema) => void (schema.description = undefined)],
  ['one for an array', shape, (schema) => void (schema.properties.dispatches = { $ref: './Dispatch.json' })],
  [
    'another shape',
    shape,
    (schema) => void (schema.properties.dispatches = { type: 'array', items: { $ref: './Period.json' } }),
  ],
  [
    'a keyword next to a $ref',
    'shapes/InkConversation.json',
    (schema) => void (schema.properties.message = { $ref: './InkMessage.json', description: 'The message.' }),
  ],
  [
    'a payload that is no longer the shape',
    'events/meterpoint/meterpoint.gas.disputed_closing_reading.started.by_us-v1.json',
    (schema) => void (schema.allOf = [{ $ref: '../../shapes/Period.json' }]),
  ],
];

describe('the check of the files', () => {
  it.each(mutations)('notices %s', (_, path, mutate) => {
    const mutated = structuredClone(files.get(path)) as Editable;
    mutate(mutated);
    const differences = compareFiles(facts, new Map([...files, [path, mutated]]));
    expect(differences.length).toBeGreaterThan(0);
    expect(differences.every((difference) => difference.startsWith(`${path}: `))).toBe(true);
  });

  it('notices a missing file and a surplus file', () => {
    const [first, ...rest] = files;
    const strange = new Map([...rest, ['events/account/account.closed-v1.json', first![1]]]);
    expect(compareFiles(facts, strange)).toEqual([
      `${first![0]} is missing.`,
      'events/account/account.closed-v1.json is in no line of the facts.',
    ]);
  });

  it('notices each flag, type, name and neighbour that is changed in any fact', () => {
    const variants = (fields: readonly Field[], at: number): Field[][] => {
      const field = fields[at]!;
      const { required, type, name } = field;
      const swapped = fields
        .with(at, fields[at + 1] ?? field)
        .with(at + 1 < fields.length ? at + 1 : at, field);
      return [
        fields.with(at, { ...field, required: !required }),
        fields.with(at, { ...field, type: type === 'string' ? 'integer' : 'string' }),
        fields.with(at, { ...field, name: `${name}s` }),
        ...(at + 1 < fields.length ? [swapped] : []),
      ];
    };
    const notice = (what: string, changed: Facts, file: string) => {
      const only = new Map([[file, files.get(file) ?? {}]]);
      expect(compareFiles(changed, only).length, `${file}: ${what}`).toBeGreaterThan(0);
    };
    for (const [path, schema] of files) {
      const fact = facts.events.find((each) => `${each.type}-${each.version}` === schema.$id);
      const fields = fact?.fields ?? facts.shapes.get(path.replace(/shapes\/(.*)\.json/, '$1')) ?? [];
      if (fact?.payload !== undefined) continue; // its fields are those of the shape, which has its own turn
      for (const [at, { name }] of fields.entries()) {
        for (const changed of variants(fields, at)) {
          const mutated = fact
            ? { events: [{ ...fact, fields: changed }], shapes: new Map<string, Field[]>() }
            : { events: [], shapes: new Map([[String(schema.$id), changed]]) };
          notice(name, mutated, path);
        }
      }
    }
  });
});

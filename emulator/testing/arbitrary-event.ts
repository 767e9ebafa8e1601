import { createRequire } from 'node:module';
import type * as fastCheck from 'fast-check';
import { BusbarError } from 'busbar/base';
import {
  type EventType,
  type JsonSchema,
  type PayloadOf,
  requireEvent,
  type VersionOf,
} from 'busbar/catalogue';
import { numberAt } from '../samples/constraints.js';
import { type FieldPath, readField } from '../samples/field-path.js';
import { samplerOf } from '../samples/sampler.js';
import { type SchemaView, type Shapes, view } from '../samples/schema-view.js';
import { builtInSchemas } from './schemas.js';
import { textKindOf } from './text-kind.js';

type FastCheck = typeof fastCheck;
type Arbitrary = fastCheck.Arbitrary<unknown>;

/**
 * Returns a fast-check arbitrary for the valid payloads of a built-in event. Install fast-check yourself.
 * Values shrink to the required fields, empty lists and the lowest values.
 * @throws BusbarError `unknown-event`, `unknown-version`; `invalid-option` if fast-check is not installed
 * @example
 * fc.assert(fc.property(arbitraryEvent('account.created', 'v1'), (payload) => accepts(payload)));
 */
export function arbitraryEvent<T extends EventType, V extends VersionOf<T>>(
  type: T,
  version: V,
): fastCheck.Arbitrary<PayloadOf<T, V>> {
  const schemas = builtInSchemas();
  const { catalogue, documents } = schemas;
  const event = requireEvent(catalogue, { type, version });
  const realistic = samplerOf(documents).sample(event, { nth: 0, fields: 'full' });
  const draft = { fc: loadFastCheck(), shapes: documents.shapes, realistic };
  const payload = arbitraryOf(draft, documents.events[event.name] ?? {}, []);
  return payload.filter((each) => schemas.explain(event, each).length === 0) as never;
}

/** Loads fast-check from the user's packages: only property tests need it. */
function loadFastCheck(): FastCheck {
  try {
    return createRequire(import.meta.url)('fast-check') as FastCheck;
  } catch (cause) {
    const message = 'arbitraryEvent() needs "fast-check". Install it: npm install --save-dev fast-check.';
    throw new BusbarError('invalid-option', message, { cause });
  }
}

interface Draft {
  readonly fc: FastCheck;
  readonly shapes: Shapes;
  /** A sample payload, whose texts show their formats. */
  readonly realistic: unknown;
}

/** Longest list, in items above the schema's minimum. */
const maxList = 3;
const maxText = 40;

function arbitraryOf(draft: Draft, schema: JsonSchema, path: FieldPath): Arbitrary {
  const { fc } = draft;
  const seen = view(schema, draft.shapes);
  const { type } = seen.schema;
  const value = valueOf(draft, seen, path);
  return Array.isArray(type) && type.includes('null') ? fc.option(value, { nil: null }) : value;
}

function valueOf(draft: Draft, { schema, type }: SchemaView, path: FieldPath): Arbitrary {
  const { fc } = draft;
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: numberAt(schema, 'minimum') ?? 0,
        max: numberAt(schema, 'maximum') ?? 2 ** 31 - 1,
      });
    case 'number':
      return fc
        .integer({
          min: 100 * (numberAt(schema, 'minimum') ?? 0),
          max: 100 * (numberAt(schema, 'maximum') ?? 1e9),
        })
        .map((hundredths) => hundredths / 100);
    case 'string':
      return textAt(draft, schema, path);
    case 'array': {
      const minLength = numberAt(schema, 'minItems') ?? 0;
      const maxLength = Math.min(numberAt(schema, 'maxItems') ?? Infinity, minLength + maxList);
      return fc.array(arbitraryOf(draft, schema.items ?? {}, [...path, 0]), { minLength, maxLength });
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const fields = Object.entries(properties).map(
        ([name, field]) => [name, arbitraryOf(draft, field, [...path, name])] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
    }
    case 'null':
      return fc.constant(null);
  }
}

function textAt({ fc, realistic }: Draft, schema: JsonSchema, path: FieldPath): Arbitrary {
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  const example = readField(realistic, path);
  const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true });
  switch (typeof example === 'string' ? textKindOf(example) : 'text') {
    case 'date':
      return date.map((day) => day.toISOString().slice(0, 10));
    case 'date-time':
      return date.map((instant) => instant.toISOString());
    case 'amount':
      return fc.nat(1e9).map((hundredths) => (hundredths / 100).toFixed(2));
    case 'text': {
      const minLength = numberAt(schema, 'minLength') ?? 0;
      const maxLength = Math.min(numberAt(schema, 'maxLength') ?? Infinity, minLength + maxText);
      return fc.string({ minLength, maxLength, unit: 'grapheme' });
    }
  }
}

import fc from 'fast-check';
import { type Field, type Fields, type WireType, within } from '../../../src/kafka-protocol/fields.js';

/** Any message of a field table in one version; absent fields have their default. */
export function messages(fields: Fields, version: number): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, values(field, version)])),
  );
}

/** A message with one element in each list. */
export function smallestMessage(fields: Fields): Record<string, unknown> {
  const elementOf = (type: WireType, absent: unknown): unknown => {
    if (type.name === 'struct') return smallestMessage(type.fields);
    return type.name === 'array' ? [elementOf(type.of, type.of.name === 'string' ? '' : 0)] : absent;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, absent }]) => [name, elementOf(type, absent)]),
  );
}

function values(field: Field, version: number): fc.Arbitrary<unknown> {
  if (!within(version, field.versions)) return fc.constant(field.absent);
  const plain = valuesOf(field.type, version);
  return within(version, field.nullable) ? fc.option(plain) : plain;
}

function valuesOf(type: WireType, version: number): fc.Arbitrary<unknown> {
  switch (type.name) {
    case 'boolean':
      return fc.boolean();
    case 'int8':
      return fc.integer({ min: -128, max: 127 });
    case 'int16':
      return fc.integer({ min: -32768, max: 32767 });
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'float64':
      return fc.double({ noNaN: true });
    case 'uuid':
      return fc
        .uint8Array({ minLength: 16, maxLength: 16 })
        .map((id) => Buffer.from(id).toString('base64url'));
    case 'string':
      // Half of the names exist in the tests, so that handlers find them.
      return fc.oneof(fc.constantFrom('events', 'group', ''), fc.string({ unit: 'grapheme', maxLength: 40 }));
    case 'bytes':
    case 'records':
      return fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes));
    case 'array':
      return fc.array(valuesOf(type.of, version), { maxLength: 4 });
    case 'struct':
      return messages(type.fields, version);
  }
}

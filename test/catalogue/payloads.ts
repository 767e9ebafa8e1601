import fc from 'fast-check';
import type { JsonSchema } from '../../catalogue/schema.js';

/** Payloads for a schema that stands alone: valid ones, and with `defects` ones that are wrong here and there. */
export function payloads(schema: JsonSchema, defects = false, root = schema): fc.Arbitrary<unknown> {
  const valid = validPayloads(schema, defects, root);
  if (!defects) return valid;
  const wrong = fc.constantFrom<unknown>(null, 'text', 1.5, 7, -0, NaN, Infinity, true, [], {}, [null], {
    a: 1,
  });
  return fc.oneof({ weight: 40, arbitrary: valid }, { weight: 1, arbitrary: wrong });
}

function validPayloads(schema: JsonSchema, defects: boolean, root: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return payloads(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, defects, root);
  }
  switch (String(schema.type)) {
    case 'string':
      return fc.string({ maxLength: 5 });
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(payloads(schema.items ?? {}, defects, root), { maxLength: 3 });
    default: {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, property]) => [name, payloads(property, defects, root)] as const,
      );
      const required = schema.required ?? [];
      const record = fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] });
      if (!defects || required.length === 0) return record;
      const incomplete = fc
        .tuple(record, fc.constantFrom(...required))
        .map(([payload, name]) =>
          Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name)),
        );
      return fc.oneof({ weight: 20, arbitrary: record }, { weight: 1, arbitrary: incomplete });
    }
  }
}

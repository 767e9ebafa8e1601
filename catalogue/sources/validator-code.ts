import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvStandalone from 'ajv/dist/standalone/index.js';
import { type Additions, sourceOf, unusable } from '../additions.js';
import { schemaProblem, settings } from '../compile-now.js';
import { mustCompile, type Catalogue } from '../open.js';

/**
 * Returns the code of a CommonJS module with a validator for each event that is the user's or has a shape of the user.
 * @throws BusbarError `invalid-schema` with the place of an invalid schema
 */
export async function validatorCode(additions: Additions, catalogue: Catalogue): Promise<string> {
  const documents = [...additions.events].map(([name, { document }]) => [name, document] as const);
  for (const [name, document] of [...Object.entries(additions.shapes), ...documents]) {
    const problem = schemaProblem(document);
    if (problem === undefined) continue;
    const why = `it ${problem.message}. Correct it by the specification of JSON Schema.`;
    throw unusable(sourceOf(name, additions.sources), why, problem.pointer);
  }
  const ajv = new Ajv2020({
    ...settings,
    code: { source: true, lines: false },
    messages: false,
    meta: false,
    validateSchema: false,
  });
  const names: Record<string, string> = {};
  for (const event of catalogue.events) {
    const { name } = event;
    if (!(await mustCompile(name, additions))) continue;
    const { $id: _, ...schema } = await catalogue.schema(event);
    try {
      ajv.addSchema(schema, name).getSchema(name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw unusable(sourceOf(name, additions.sources), `${reason}.`);
    }
    names[name] = name;
  }
  return ajvStandalone.default(ajv, names);
}

import { alternativesOf } from '../../../catalogue/diff/alternatives.js';
import { eventNamed } from '../../../catalogue/event-named.js';
import { type JsonSchema, shapeOf } from '../../../catalogue/schema.js';
import { catalogueFlag, type Console, defineCommand, jsonFlag } from '../command.js';
import { eventArgument } from '../event-names.js';
import { textTable } from '../text-table.js';

export const command = defineCommand({
  args: { event: eventArgument },
  flags: { catalogue: catalogueFlag, json: { ...jsonFlag, text: 'Print the JSON Schema' } },
  examples: ['catalogue show account.created-v1'],
  run: showEvent,
});

/**
 * `busbar catalogue show EVENT`: prints the description, the fields and those of their shapes; with `json` the JSON
 * Schema. An event type selects its newest version.
 */
async function showEvent(
  { event: name, json }: { event: string; json?: boolean },
  output: Pick<Console, 'write' | 'catalogue'>,
): Promise<void> {
  const catalogue = await output.catalogue();
  const event = eventNamed(catalogue, name);
  const schema = await catalogue.schema(event);
  if (json) {
    output.write(`${JSON.stringify(schema, null, 2)}\n`);
    return;
  }
  const { $defs: shapes = {} } = schema;
  const heads = [
    ['  type', event.type],
    ['  version', event.version],
    ['  versions', catalogue.versionsOf(event.type).join(', ')],
    ['  group', event.group],
    ['  key', event.key],
  ];
  const title = [event.name, schema.description ?? []].flat().join('\n');
  output.write(`${title}\n\n${textTable(heads)}\n${fieldTable(schema, shapes)}`);
  for (const [shape, definition] of Object.entries(shapes)) {
    const about = `${shape}: ${definition.description ?? ''}`.trimEnd();
    output.write(`\n${about}\n${fieldTable(definition, shapes)}`);
  }
}

/** Returns a table of the fields, also of those that a shape or one of several alternatives has. */
function fieldTable(schema: JsonSchema, shapes: NonNullable<JsonSchema['$defs']>): string {
  const objects = alternativesOf(schema, shapes).filter(({ type }) => type === 'object');
  const fields = new Map(objects.flatMap((each) => Object.entries(each.schema.properties ?? {})));
  const isRequired = (field: string) =>
    objects.every(({ schema: { required = [] } }) => required.includes(field));
  const rows = [...fields].map(([field, property]) => [
    `  ${field}`,
    typeName(property),
    isRequired(field) ? 'required' : 'optional',
    property.description ?? '',
  ]);
  return rows.length === 0 ? '  (no fields)\n' : textTable(rows);
}

function typeName(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'any' : 'none';
  if (schema.$ref !== undefined) return shapeOf(schema.$ref);
  if (schema.items) return `[${typeName(schema.items)}]`;
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  const values = 'const' in schema ? [schema.const] : (schema['enum'] as readonly unknown[] | undefined);
  const words = choices?.map(typeName) ?? values?.map((value) => (value === null ? 'null' : typeof value));
  return [...new Set([schema.type ?? words ?? 'any'].flat())].join(' or ');
}

import type { Decision } from '../decisions.js';
import { keyEntities } from '../key-entities.js';
import { type Documents, type JsonSchema, shapeOf } from '../schema.js';
import type { Outputs } from './outputs.js';

const banner = '<!-- Written by `npm run generate`; do not edit. -->\n';

/** Generates the reference pages of the catalogue. */
export function generateDocs(documents: Documents, decisions: readonly Decision[]): Outputs {
  return new Map([
    ['docs/events.md', eventsPage(documents)],
    ['docs/reference/not-specified.md', decisionsPage(decisions)],
  ]);
}

/** Returns a page with every event version by group, then the shapes. */
function eventsPage({ events, shapes }: Documents): string {
  const groups = [...new Set(Object.values(events).map((event) => String(event['x-group'])))].sort();
  const types = new Set(Object.values(events).map((event) => event['x-event-type']));
  const sections = groups.map((group) => {
    const members = Object.entries(events).filter(([, event]) => event['x-group'] === group);
    const rows = members.map(
      ([name, event]) =>
        `| \`${name}\` | ${event.description ?? ''} | ${String(event['x-busbar-key'])} | ${fields(event)} |\n`,
    );
    return `## ${titleOf(group)}\n\n| event | what happened | key | fields |\n|---|---|---|---|\n${rows.join('')}`;
  });
  const rows = Object.entries(shapes).map(
    ([name, shape]) => `| \`${name}\` | ${shape.description ?? ''} | ${fields(shape)} |\n`,
  );
  const keys = Object.entries(keyEntities).map(([entity, meaning]) => {
    const keyed = Object.values(events).filter((event) => event['x-busbar-key'] === entity);
    return `| ${entity} | ${meaning} | ${keyed.length} |\n`;
  });
  return `${banner}
# Events

${types.size} event types in ${Object.keys(events).length} versions, and ${Object.keys(shapes).length} shapes that they share.
A field without \`*\` may be missing. Its type is string unless another follows; \`[X]\` is an array of X.
\`busbar catalogue show NAME\` prints one event, \`busbar catalogue export\` all of them.

## Keys

The partition key of an event names what it is about, and keeps all events about that in order. It comes from the world,
not from the payload, which often does not hold it. All versions of an event type have the same. A schema says it in
\`x-busbar-key\`, one of the words below; one of your own may say another word. Where it says nothing, the key is that of the
built-in versions of its type, else \`account\`.

| key | what it names | event versions |
|---|---|---|
${keys.join('')}
${sections.join('\n')}
## Shapes

| shape | what it is | fields |
|---|---|---|
${rows.join('')}`;
}

/** Returns a page with the decisions about open points of the specification. */
function decisionsPage(decisions: readonly Decision[]): string {
  const rows = [...decisions]
    .sort((a, b) => (a.clause + a.source < b.clause + b.source ? -1 : 1))
    .map(({ clause, decision, source }) => `| ${clause} | ${decision} | \`${source}\` |\n`);
  return `${banner}
# Not specified

Where the specification says that something is not shown, we decide, and mark the place with \`x-busbar-decision\`.
This page lists every mark.

| left open | decided | marked in |
|---|---|---|
${rows.join('')}`;
}

function fields(schema: JsonSchema): string {
  const [whole] = schema.allOf ?? [];
  if (whole?.$ref !== undefined) return `those of \`${shapeOf(whole.$ref)}\``;
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const type = typeName(property);
      return `\`${name}${schema.required?.includes(name) ? '*' : ''}\`${type === 'string' ? '' : ` ${type}`}`;
    })
    .join(', ');
}

function typeName(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return shapeOf(schema.$ref);
  return schema.items ? `[${typeName(schema.items)}]` : String(schema.type);
}

/** Returns the title of a group: `Access roles` for `access-roles`. */
function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');
}

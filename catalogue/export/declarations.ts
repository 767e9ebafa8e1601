import { builtInCatalogue, type Catalogue } from '../catalogue.js';
import { type Documents, type JsonSchema, reachedShapes, shapeOf } from '../schema.js';

/** Returns a declaration file that adds the user's events of a catalogue to `EventCatalogue`; undefined without any. */
export async function exportDeclarations(catalogue: Catalogue): Promise<string | undefined> {
  const builtIn = builtInCatalogue();
  const { events, shapes } = await catalogue.documents();
  const builtInShapes = (await builtIn.documents()).shapes;
  const ownShapes = Object.keys(shapes).filter((name) => shapes[name] !== builtInShapes[name]);
  const isOwn = (document: JsonSchema) =>
    reachedShapes(document, shapes).some((shape) => ownShapes.includes(shape));
  const ownEvents = catalogue.events.filter(
    (event) => builtIn.named(event.name) !== event || isOwn(events[event.name] ?? {}),
  );
  if (ownEvents.length === 0) return undefined;

  const names = typeNames([...ownShapes, ...ownEvents.map(({ name }) => name)], { events, shapes });
  const print = printer((shape) => names.get(shape) ?? `busbar.${shape}`);
  const declarations = [...names].map(([name, typeName]) => {
    const schema = shapes[name] ?? events[name] ?? {};
    const type = print(schema, '');
    return `${comment(schema, '')}export ${isBlock(type) ? `interface ${typeName} ${type}` : `type ${typeName} = ${type};`}\n`;
  });
  const types = [...new Set(ownEvents.map(({ type }) => type))];
  const entries = types.map((type) => {
    const versions = ownEvents.filter((event) => event.type === type);
    const own = versions
      .map(({ version, name }) => `${key(version)}: ${names.get(name) ?? 'unknown'}`)
      .join('; ');
    const replaced = versions.map(({ version }) => literal(version)).join(' | ');
    const others = `Omit<busbar.BuiltInEvents[${literal(type)}], ${replaced}> & `;
    return `    ${key(type)}: ${builtIn.hasType(type) ? others : ''}{ ${own} };\n`;
  });
  const replaced = types.filter((type) => builtIn.hasType(type)).map((type) => `    ${key(type)}: true;\n`);
  return [
    '// Written by `busbar catalogue types`. Do not edit.\n',
    "import type * as busbar from 'busbar/catalogue';\n\n",
    "declare module 'busbar/catalogue' {\n",
    `  interface EventCatalogue {\n${entries.join('')}  }\n`,
    replaced.length === 0 ? '' : `  interface ReplacedEvents {\n${replaced.join('')}  }\n`,
    '}\n',
    ...declarations.map((declaration) => `\n${declaration}`),
  ].join('');
}

/** Returns a distinct type name for each shape and event: its title if no other has it, or its name in Pascal case. */
function typeNames(names: readonly string[], { events, shapes }: Documents): Map<string, string> {
  const taken = new Set(['busbar']);
  const titles = names.map((name) => (shapes[name] ?? events[name])?.title);
  return new Map(
    names.map((name) => {
      const { title = '' } = shapes[name] ?? events[name] ?? {};
      const words = name.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      const isShared = titles.indexOf(title) !== titles.lastIndexOf(title);
      const base =
        /^[A-Za-z_]\w*$/.test(title) && !isShared ? title : words.join('').replace(/^(?=\d|$)/, '_');
      let typeName = base;
      for (let count = 2; taken.has(typeName); count++) typeName = `${base}_${count}`;
      taken.add(typeName);
      return [name, typeName];
    }),
  );
}

/** Returns a function that prints the TypeScript type of a schema. */
function printer(nameOf: (shape: string) => string) {
  const print = (schema: JsonSchema | boolean, indent: string): string => {
    if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
    const { $ref, allOf, anyOf, oneOf, type } = schema;
    const kinds = typeof type === 'string' ? [type] : (type ?? (hasFields(schema) ? ['object'] : []));
    const one = (kind: string) => printKind(kind, schema, indent);
    const union = (list: unknown) => (list as JsonSchema[]).map((each) => print(each, indent)).join(' | ');
    const values = 'const' in schema ? [schema['const']] : schema['enum'];
    const parts = [
      ...($ref === undefined ? [] : [nameOf(shapeOf($ref))]),
      ...(Array.isArray(values) ? [values.map(literal).join(' | ')] : []),
      ...(kinds.length === 0 || Array.isArray(values) ? [] : [kinds.map(one).join(' | ')]),
      ...(allOf ?? []).map((each) => print(each, indent)),
      ...[anyOf, oneOf].filter(Array.isArray).map(union),
    ];
    if (parts.length < 2) return parts[0] ?? 'unknown';
    return parts.map((part) => (part.includes(' | ') ? `(${part})` : part)).join(' & ');
  };
  const printKind = (kind: string, schema: JsonSchema, indent: string): string => {
    if (kind === 'integer') return 'number';
    if (kind === 'array') return printList(schema, indent);
    return kind === 'object' ? printObject(schema, indent) : kind;
  };
  const printList = (schema: JsonSchema, indent: string): string => {
    const { prefixItems = [], items = true, minItems = 0, maxItems = Infinity } = schema;
    const places = (prefixItems as JsonSchema[]).slice(0, maxItems as number);
    const tuple = places
      .map((each) => print(each, indent))
      .map((type, nth) => (nth < Number(minItems) ? type : `${grouped(type)}?`));
    const isClosed = (items as unknown) === false || tuple.length === maxItems;
    const rest = `${grouped(print(items, indent))}[]`;
    if (tuple.length === 0) return rest;
    return `[${[...tuple, ...(isClosed ? [] : [`...${rest}`])].join(', ')}]`;
  };
  const printObject = (schema: JsonSchema, indent: string): string => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const inner = `${indent}  `;
    const fields = [...new Set([...Object.keys(properties), ...required])].map((name) => {
      // A part of "allOf" may require a field of another part.
      const field = properties[name] ?? {};
      const mark = required.includes(name) ? '' : '?';
      return `${comment(field, inner)}${inner}${key(name)}${mark}: ${print(field, inner)};\n`;
    });
    if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
    const values =
      typeof additionalProperties === 'object'
        ? print(additionalProperties as JsonSchema, indent)
        : 'unknown';
    // A type may not contain itself as an argument of "Record".
    const isNamed = JSON.stringify(additionalProperties ?? '').includes('"$ref"');
    return isNamed ? `{ [name: string]: ${values} }` : `Record<string, ${values}>`;
  };
  return print;
}

function hasFields({ properties, required }: JsonSchema): boolean {
  return properties !== undefined || required !== undefined;
}

/** Whether a type is the fields of one object, in braces. */
function isBlock(type: string): boolean {
  return type.startsWith('{') && type.endsWith('}') && !/\} [&|] /.test(type);
}

function grouped(type: string): string {
  return isBlock(type) || /^[\w.[\]]+$/.test(type) ? type : `(${type})`;
}

function comment({ description }: JsonSchema, indent: string): string {
  if (description === undefined || description === '') return '';
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

function literal(value: unknown): string {
  const text = JSON.stringify(value);
  return text === `"${String(value)}"` && !text.includes("'") ? `'${String(value)}'` : text;
}

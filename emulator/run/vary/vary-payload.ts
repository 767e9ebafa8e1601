import type { Documents, JsonSchema } from 'busbar/catalogue';
import { shapeOf } from 'busbar/internal/catalogue';
import { hash32 } from '../../engine/random.js';
import { hour } from '../../engine/time.js';
import { itemOf } from '../../samples/schema-view.js';
import type { Variation } from './variations.js';

export interface VaryPayloadOptions {
  readonly seed: number;
  readonly variations: ReadonlySet<Variation>;
  readonly documents: Documents;
  /** Number of the way that a field takes, from the one that the seed draws on. Default 0. */
  readonly turn?: number;
}

/** Most ways of a field, the one that changes nothing included: in so many turns it takes each. */
export const maxWays = 5;

/**
 * Returns the payload with other values where its schema is open. Each field varies in one way for a whole run, as a real
 * platform would. Other fields and other seeds vary differently.
 * @param name Catalogue name of the event.
 */
export function varyPayload(name: string, payload: unknown, options: VaryPayloadOptions): unknown {
  const { documents } = options;
  return varied(payload, documents.events[name] ?? {}, { ...options, where: name, field: '' });
}

interface Context extends VaryPayloadOptions {
  /** Path of event and fields: the name of a random decision. */
  readonly where: string;
  readonly field: string;
}

/** Marks a member that is left out. */
const omitted = Symbol('omitted');

function varied(value: unknown, schema: JsonSchema | boolean, context: Context, isRequired = true): unknown {
  if (typeof schema === 'boolean') return value;
  const { documents, variations } = context;
  if (schema.$ref !== undefined) {
    return varied(value, documents.shapes[shapeOf(schema.$ref)] ?? {}, context, isRequired);
  }
  if (typeof value === 'string') return isClosed(schema) ? value : variedText(value, context, isRequired);
  if (Array.isArray(value))
    return value.map((each, index) => varied(each, itemOf(schema, index) ?? {}, context));
  if (typeof value !== 'object' || value === null) return value;
  if (schema.properties === undefined) {
    const isFree = schema.type === 'object' && Object.keys(schema).every((keyword) => isHarmless(keyword));
    return isFree && variations.has('objects') ? otherContents(value, context) : value;
  }
  const members: Record<string, unknown> = {};
  for (const [field, each] of Object.entries(value as Record<string, unknown>)) {
    const own = schema.properties[field];
    const inner = { ...context, where: `${context.where}/${field}`, field };
    const other =
      own === undefined ? each : varied(each, own, inner, schema.required?.includes(field) ?? false);
    if (other !== omitted) members[field] = other;
  }
  return members;
}

function variedText(text: string, context: Context, isRequired: boolean): unknown {
  const { variations, field } = context;
  if (text === '') {
    if (!variations.has('empty-ends') || !isEnd.test(field)) return text;
    const end = otherEnd(draw(context, 'empty-ends', isRequired ? 3 : 4));
    return end ?? omitted;
  }
  if (variations.has('times')) {
    const time = otherTime(text, draw(context, 'times', maxWays));
    if (time !== undefined) return time;
  }
  if (variations.has('enums') && isVocabulary.test(field)) {
    return otherWord(text, draw(context, 'enums', maxWays));
  }
  return text;
}

function otherContents(value: object, context: Context): object {
  switch (draw(context, 'objects', 4)) {
    case 0:
      return {};
    case 1:
      return { data: value };
    case 2:
      return { ...value, busbar_list: [1, 'two', null], busbar_nested: { deeper: {} } };
    default:
      return value;
  }
}

/** Names of fields with an end. */
const isEnd = /(^|_)(to|end|until)($|_at$|_date$|_on$)/;

/** Names of fields with a word from a vocabulary that the specification does not list. */
const isVocabulary =
  /(^|_)(status|type|subtype|reason|category|subcategory|method|channel|outcome|action|market_name|fuel|utility|priority|severity|state)$/;

/** Whether a schema restricts a string beyond its type. */
function isClosed(schema: JsonSchema): boolean {
  return ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'oneOf', 'anyOf', 'not'].some(
    (keyword) => keyword in schema,
  );
}

function isHarmless(keyword: string): boolean {
  return ['type', 'title', 'description', 'examples'].includes(keyword) || keyword.startsWith('x-');
}

function draw({ seed, where, turn = 0 }: Context, variation: Variation, ways: number): number {
  return (Math.floor((hash32(seed, 'vary', variation, where) / 0x1_0000_0000) * ways) + turn) % ways;
}

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isDate = /^\d{4}-\d\d-\d\d$/;

/** Returns an instant or date in another form of ISO 8601, or undefined for any other text. The last way changes nothing. */
function otherTime(text: string, way: number): string | undefined {
  if (isDate.test(text)) {
    return [`${text}T00:00:00Z`, `${text}T00:00:00+00:00`, text.replaceAll('-', ''), text, text][way];
  }
  if (!isInstant.test(text)) return undefined;
  const at = Date.parse(text);
  const utc = new Date(at).toISOString().slice(0, -1);
  switch (way) {
    case 0:
      return `${utc}+00:00`;
    case 1:
      return `${utc}000Z`;
    case 2:
      return `${utc}000+00:00`;
    case 3:
      return onAnotherDay(at);
    default:
      return text;
  }
}

/** Returns an instant with the nearest offset at which it is another day than in UTC. */
function onAnotherDay(at: number): string {
  const hours = new Date(at).getUTCHours();
  const offset = hours < 12 ? -1 - hours : 24 - hours;
  const local = new Date(at + offset * hour).toISOString().slice(0, -1);
  return `${local}${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
}

/** Returns a word such as `CHANGE_OF_SUPPLIER` in another form, and any other text unchanged, as the last way does. */
function otherWord(text: string, way: number): string {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(text)) return text;
  switch (way) {
    case 0:
      return text.toLowerCase();
    case 1:
      return text.toLowerCase().replaceAll('_', '-');
    case 2:
      return text.charAt(0) + text.slice(1).toLowerCase().replaceAll('_', ' ');
    case 3:
      // An unknown word.
      return `${text}_OTHER`;
    default:
      return text;
  }
}

/** Returns a string for an open end, or undefined to leave out the field, which is the fourth way. */
function otherEnd(way: number): string | undefined {
  return ['9999-12-31', '9999-12-31T23:59:59Z', ''][way];
}

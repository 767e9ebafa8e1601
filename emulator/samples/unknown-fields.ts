import type { JsonSchema } from '../../catalogue/index.js';
import { formatInstant } from '../engine/time.js';
import { numberAt } from './constraints.js';
import { accountNumber, electricity, gas, user, address } from './facts/household.js';
import { date, justNow } from './facts/times.js';
import { textMatching } from './pattern.js';
import type { FieldType, Rule, Scene } from './subject.js';

/** What the ending of a name tells about a field that we do not know, as in an event of the user. */
export function ruleBySuffix(name: string): Rule | undefined {
  return suffixes.find(([suffix]) => suffix.test(name))?.[1];
}

/**
 * What nothing is known of but its schema: an example from the schema, a value of the format, or any that the limits
 * allow. Undefined when we cannot make one, as for a pattern that is too clever.
 */
export function valueByType(schema: JsonSchema, type: FieldType, scene: Scene): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return scene.random.pick(schema.enum);
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return scene.random.pick(schema.examples);
  if ('default' in schema) return schema.default;
  switch (type) {
    case 'string':
      return text(schema, scene);
    case 'integer':
    case 'number':
      return amount(schema, type, scene);
    case 'boolean':
      return scene.random.chance(0.5);
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
      return null;
  }
}

const phone: Rule = ({ random }) => `+447700900${String(random.integer(0, 999)).padStart(3, '0')}`;

/** The first that fits counts. */
const suffixes: readonly (readonly [RegExp, Rule])[] = [
  [/(^|_)relay_id$/, (s) => Buffer.from(`Thing:${s.random.integer(1000, 999_999)}`).toString('base64')],
  [/(^|_)uuid$/, (s) => s.random.uuid()],
  [/(^|_)(at|datetime|timestamp)$/, justNow],
  [/(^|_)(on|date|day)$/, (s) => date(s, -s.random.integer(0, 60))],
  [/(^|_)(from|start)$/, (s) => date(s, -s.random.integer(30, 300))],
  [/(^|_)(to|until|end)$/, (s) => date(s, s.random.integer(30, 300))],
  [/(^|_)account_number$/, accountNumber],
  [/(^|_)mpan$/, (s) => electricity(s).identifier],
  [/(^|_)mprn$/, (s) => gas(s).identifier],
  [/(^|_)postcode$/, (s) => address(s).postcode],
  [/(^|_)e?mails$/, (s) => [user(s).email]],
  [/(^|_)e?mail$/, (s) => user(s).email],
  [/(^|_)(phone|telephone|mobile)(_number)?$/, phone],
  [/(^|_)(url|uri|link)$/, () => 'https://example.com/'],
  [/(^|_)ids?$/, (s) => idOf(s)],
  [/(^|_)(count|size|total)$/, (s) => s.random.integer(0, 20)],
  [/(^|_)(amount|price|balance|cost|pence)$/, (s) => Math.floor(s.random.spread(100, 60_000))],
  [/(^|_)(percent|percentage|soc)$/, (s) => s.random.integer(0, 100)],
  [/^(is|has|was|can|should|will)_/, (s) => s.random.chance(0.5)],
];

/** A number where one is due, otherwise a UUID; a list of one where a list is. */
function idOf(scene: Scene): unknown {
  const { type, random } = scene;
  const number = random.integer(1000, 99_999_999);
  return type === 'array' ? [number] : type === 'string' ? random.uuid() : number;
}

function text(schema: JsonSchema, scene: Scene): string | undefined {
  const { random } = scene;
  if (typeof schema.pattern === 'string') return textMatching(schema.pattern, random);
  const shortest = numberAt(schema, 'minLength') ?? 0;
  const longest = numberAt(schema, 'maxLength') ?? Infinity;
  switch (schema.format) {
    case 'date':
      return date(scene, 0);
    case 'date-time':
      return formatInstant(scene.at);
    case 'time':
      return formatInstant(scene.at).slice(11);
    case 'email':
      return user(scene).email;
    case 'uuid':
      return random.uuid();
    case 'uri':
      return 'https://example.com/';
    case 'ipv4':
      return '192.0.2.1';
    default: {
      const words = `sample ${random.uuid().slice(0, 8)}`;
      return words.padEnd(shortest, ' sample').slice(0, Math.min(longest, 1_000_000));
    }
  }
}

/** A multiple of the step, within the limits: of a hundred steps or so, when there is room. */
function amount(schema: JsonSchema, type: FieldType, { random }: Scene): number | undefined {
  const step = numberAt(schema, 'multipleOf') ?? (type === 'integer' ? 1 : 0.5);
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const lowest = numberAt(schema, 'minimum') ?? above;
  const highest = numberAt(schema, 'maximum') ?? below;
  let first = Math.ceil(
    (lowest ?? Math.min(0, highest ?? 0) - (highest === undefined ? 0 : 100 * step)) / step,
  );
  let last = Math.floor((highest ?? (first + 100) * step) / step);
  if (above !== undefined && first * step <= above) first++;
  if (below !== undefined && last * step >= below) last--;
  if (last < first) return undefined;
  return random.integer(first, Math.min(last, first + 100)) * step;
}

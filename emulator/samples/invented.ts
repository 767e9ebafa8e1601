import type { JsonSchema } from 'busbar/catalogue';
import { london } from '../engine/calendar.js';
import type { RandomStream } from '../engine/random.js';
import { formatDay, formatInstant, type Instant } from '../engine/time.js';
import { addressOf } from '../world/customer/addresses.js';
import type { Cell } from '../world/cell.js';
import { relayId } from '../world/formats.js';
import { asType, meets, numberAt } from './constraints.js';
import type { FieldType, SchemaView } from './schema-view.js';

/** Time and household of a sample. */
export interface Surroundings {
  readonly at: Instant;
  readonly home: () => Cell;
}

/**
 * Returns a value for a field that no scenario sends: an example of its schema, else by the ending of its name, else by its
 * schema. Returns undefined if that fails, for example for a complex pattern.
 */
export function invented(
  name: string,
  { schema, type }: SchemaView,
  random: RandomStream,
  surroundings: Surroundings,
): unknown {
  const spot = { ...surroundings, type, random };
  // OpenAPI also has a single "example".
  const examples: unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
  const given = 'example' in schema ? [...examples, schema.example] : examples;
  const valid = given.filter((each) => meets(each, schema));
  if (valid.length > 0) return random.pick(valid);
  const rule = suffixes.find(([suffix]) => suffix.test(name))?.[1];
  const value = spellings(asType(rule?.(spot), type)).find((each) => meets(each, schema));
  return value ?? valueByType(schema, type, spot);
}

/** Returns a value and, of an instant, other spellings: without milliseconds, zone or both. */
function spellings(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || !/T.*Z$/.test(value)) return [value];
  const seconds = value.replace(/\.\d+/, '');
  return [value, seconds].flatMap((each) => [each, each.slice(0, -1), each.replace('Z', '+00:00')]);
}

interface Spot extends Surroundings {
  readonly type: FieldType;
  readonly random: RandomStream;
}

type Rule = (spot: Spot) => unknown;

/** Returns a value that the schema lists, one of its format, or any within its limits. */
function valueByType(schema: JsonSchema, type: FieldType, spot: Spot): unknown {
  const { random } = spot;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  if ('default' in schema) return schema.default;
  switch (type) {
    case 'string':
      return text(schema, spot);
    case 'integer':
    case 'number':
      return amount(schema, type, spot);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
      return null;
  }
}

/** Returns the date `days` from today. */
const date = ({ at }: Spot, days: number) => formatDay(london.dayAt(at) + days);
/** Returns a meter point of the home, which has both fuels. */
const meterPoint = (market: string, { home }: Spot) =>
  home().properties[0]?.supplyPoints.find((each) => each.market === market)?.identifier;

const email = ({ home }: Spot) => home().account.users[0]?.email;

/** Rules by the ending of a field name. The first match counts. */
const suffixes: readonly (readonly [RegExp, Rule])[] = [
  [/(^|_)relay_id$/, ({ random }) => relayId('Thing', random.integer(1000, 999_999))],
  [/(^|_)(uuid|identifier)$/, ({ random }) => random.uuid()],
  [/(^|_)(at|datetime|timestamp)$/, ({ at, random }) => formatInstant(at - random.integer(0, 400))],
  [/(^|_)(on|date|day)$/, (spot) => date(spot, -spot.random.integer(0, 60))],
  [/(^|_)(from|start)$/, (spot) => date(spot, -spot.random.integer(30, 300))],
  [/(^|_)(to|until|end)$/, (spot) => date(spot, spot.random.integer(30, 300))],
  [/(^|_)account_number$/, ({ home }) => home().account.number],
  [/(^|_)user_number$/, ({ home }) => home().account.users[0]?.number],
  [/(^|_)mpan$/, (spot) => meterPoint('GBR_ELECTRICITY', spot)],
  [/(^|_)mprn$/, (spot) => meterPoint('GBR_GAS', spot)],
  [/(^|_)postcode$/, ({ home }) => home().properties.map((each) => addressOf(home(), each).postcode)[0]],
  [/(^|_)e?mails?$/, email],
  [/(^|_)(phone|telephone|mobile)(_number)?$/, ({ random }) => `+447700900${random.integer(100, 999)}`],
  [/(^|_)(url|uri|link)$/, () => 'https://example.com/'],
  [
    /(^|_)ids?$/,
    ({ random, type }) => (type === 'string' ? random.uuid() : random.integer(1000, 99_999_999)),
  ],
  [/(^|_)(count|size|total)$/, ({ random }) => random.integer(0, 20)],
  [/(^|_)(amount|price|balance|cost|pence)$/, ({ random }) => Math.floor(random.spread(100, 60_000))],
  [/(^|_)(percent|percentage|soc)$/, ({ random }) => random.integer(0, 100)],
  [/^(is|has|was|can|should|will)_/, ({ random }) => random.chance(0.5)],
];

/** Rules by format. */
const formats: Readonly<Record<string, Rule>> = {
  date: (spot) => date(spot, 0),
  'date-time': ({ at }) => formatInstant(at),
  time: ({ at }) => formatInstant(at).slice(11),
  email,
  uuid: ({ random }) => random.uuid(),
  uri: () => 'https://example.com/',
  hostname: () => 'example.com',
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  duration: () => 'P1D',
  byte: () => 'c2FtcGxl',
};

function text({ format, ...limits }: JsonSchema, spot: Spot): unknown {
  const { random } = spot;
  const rule = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  const value = spellings(rule?.(spot)).find((each) => meets(each, limits));
  if (value !== undefined) return value;
  if (typeof limits['pattern'] === 'string') return textMatching(limits['pattern'], random);
  // A space is valid in text, but not in a format such as `uri-reference`.
  const words = `sample${format === undefined ? ' ' : '-'}${random.uuid().slice(0, 8)}`;
  const longest = Math.min(numberAt(limits, 'maxLength') ?? Infinity, 1_000_000);
  return words.padEnd(numberAt(limits, 'minLength') ?? 0, ' sample').slice(0, longest);
}

/** Draws a multiple of the step within the limits, from at most about a hundred. */
function amount(schema: JsonSchema, type: FieldType, { random }: Spot): number | undefined {
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
  const count = Math.min(last - first, 100) + 1;
  const start = random.integer(0, count - 1);
  // Of a step such as 0.01, not every multiple divides without a remainder.
  for (let tries = 0; tries < count; tries++) {
    const value = (first + ((start + tries) % count)) * step;
    const found = [value, Number(value.toPrecision(12))].find((each) => meets(each, schema));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a string that the regular expression matches. Supports literals, classes, groups, alternatives and counts;
 * returns undefined for other features, for example look-around, or if the result does not match.
 */
function textMatching(pattern: string, random: RandomStream): string | undefined {
  const reader = { rest: Array.from(pattern), depth: 0 };
  const text = alternatives(reader, random);
  if (text === undefined || reader.rest.length > 0) return undefined;
  return new RegExp(pattern, 'u').test(text) ? text : undefined;
}

interface Reader {
  readonly rest: string[];
  depth: number;
}

/** Maximum of an unbounded count. */
const most = 5;
const deepest = 50;

function alternatives(reader: Reader, random: RandomStream): string | undefined {
  if (++reader.depth > deepest) return undefined;
  const choices: string[] = [];
  do {
    const choice = sequence(reader, random);
    if (choice === undefined) return undefined;
    choices.push(choice);
  } while (take(reader, '|'));
  reader.depth--;
  return random.pick(choices);
}

function sequence(reader: Reader, random: RandomStream): string | undefined {
  let text = '';
  while (reader.rest.length > 0 && reader.rest[0] !== '|' && reader.rest[0] !== ')') {
    if (take(reader, '^') || take(reader, '$')) continue;
    const before = [...reader.rest];
    const once = atom(reader, random);
    if (once === undefined) return undefined;
    const consumed = before.slice(0, before.length - reader.rest.length);
    const [least, greatest] = count(reader);
    const times = random.integer(least, greatest);
    for (let i = 0; i < times; i++) {
      text += i === 0 ? once : (atom({ rest: [...consumed], depth: reader.depth }, random) ?? '');
    }
  }
  return text;
}

function atom(reader: Reader, random: RandomStream): string | undefined {
  const next = reader.rest.shift();
  switch (next) {
    case undefined:
      return undefined;
    case '(': {
      if (take(reader, '?')) {
        if (!take(reader, ':')) return undefined;
      }
      const text = alternatives(reader, random);
      return take(reader, ')') ? text : undefined;
    }
    case '[':
      return characterClass(reader, random);
    case '.':
      return 'x';
    case '\\':
      return escaped(reader.rest.shift(), random);
    default:
      return next;
  }
}

function escaped(letter: string | undefined, random: RandomStream): string | undefined {
  const set = letter === undefined ? undefined : sets[letter];
  if (set !== undefined) return random.pick(Array.from(set));
  // Other escaped letters and digits have special meanings.
  return letter === undefined || /[A-Za-z0-9]/.test(letter) ? undefined : letter;
}

function characterClass(reader: Reader, random: RandomStream): string | undefined {
  const isNegated = take(reader, '^');
  const members: string[] = [];
  for (;;) {
    let from = reader.rest.shift();
    if (from === undefined) return undefined;
    if (from === ']') break;
    if (from === '\\') {
      from = reader.rest.shift() ?? '';
      const set = sets[from];
      if (set !== undefined) {
        members.push(...Array.from(set));
        continue;
      }
    }
    if (reader.rest[0] === '-' && reader.rest[1] !== ']') {
      reader.rest.shift();
      const to = reader.rest.shift() ?? from;
      for (let code = from.codePointAt(0) ?? 0; code <= (to.codePointAt(0) ?? 0); code++) {
        members.push(String.fromCodePoint(code));
        if (members.length > 1000) return undefined;
      }
    } else members.push(from);
  }
  const allowed = isNegated ? Array.from(printable).filter((each) => !members.includes(each)) : members;
  return allowed.length > 0 ? random.pick(allowed) : undefined;
}

function count(reader: Reader): [number, number] {
  if (take(reader, '?')) return [0, 1];
  if (take(reader, '*')) return [0, most];
  if (take(reader, '+')) return [1, most];
  const [, least, comma, greatest] = /^\{(\d+)(,?)(\d*)\}/.exec(reader.rest.slice(0, 20).join('')) ?? [];
  if (least === undefined) return [1, 1];
  reader.rest.splice(0, reader.rest.indexOf('}') + 1);
  const lowest = Math.min(Number(least), 1000);
  if (comma === '') return [lowest, lowest];
  return [lowest, greatest === '' ? lowest + most : Math.min(Number(greatest), lowest + 1000)];
}

function take({ rest }: Reader, character: string): boolean {
  if (rest[0] !== character) return false;
  rest.shift();
  return true;
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const printable = `${letters}${digits}-_.`;
const sets: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${digits}_`,
  s: ' ',
  D: letters,
  W: '-.',
  S: letters + digits,
};

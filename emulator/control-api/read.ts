import type { Request } from 'express';
import { didYouMean, nearest } from '../../src/base/nearest.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { parseInstant } from '../engine/read-time.js';
import type { Instant } from '../engine/time.js';
import { requireShallow } from '../samples/nesting.js';

/** What a member can be, by the type that comes out. */
interface Kinds {
  text: string;
  flag: boolean;
  number: number;
  texts: readonly string[];
  /** An object whose members are texts. */
  map: Readonly<Record<string, string>>;
  object: Readonly<Record<string, unknown>>;
  /** RFC 3339, in milliseconds. */
  instant: Instant;
  any: unknown;
}

type Members = Readonly<Record<string, keyof Kinds>>;

/** What was sent, or the query: every member known, and of its kind. */
export type Read<M extends Members> = { readonly [Name in keyof M]?: Kinds[M[Name]] };

/** Reads the body of a write. @throws BusbarError `invalid-option` naming the member that is wrong. */
export function readBody<const M extends Members>(request: Request, members: M): Read<M> {
  const body = (request.body ?? {}) as unknown;
  requireShallow('body', body);
  return read(body, members);
}

/** Reads the query likewise: there everything is a text. */
export function readQuery<const M extends Members>(request: Request, members: M): Read<M> {
  const query = Object.entries(request.query).map(([name, value]) => {
    const isNumber = members[name] === 'number' && typeof value === 'string' && /^\d{1,15}$/.test(value);
    return [name, isNumber ? Number(value) : value];
  });
  return read(Object.fromEntries(query), members);
}

export function read<const M extends Members>(given: unknown, members: M): Read<M> {
  if (!isObject(given)) throw new BusbarError('invalid-option', 'The body is not a JSON object.');
  const answer: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(members, name) ? members[name] : undefined;
    if (kind === undefined) {
      const names = Object.keys(members);
      const hint = didYouMean(nearest(name, names)) || ` There is: ${names.join(', ') || 'nothing'}.`;
      throw new BusbarError('invalid-option', `There is no member ${quoted(name)} here.${hint}`);
    }
    const { is, wanted } = kinds[kind];
    if (!is(value)) throw new BusbarError('invalid-option', `${quoted(name)} is ${wanted}.`);
    answer[name] = kind === 'instant' ? parseInstant(name, value as string) : value;
  }
  return answer as Read<M>;
}

/** What has to be there. @throws BusbarError `invalid-option` */
export function required<T>(name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new BusbarError('invalid-option', `${quoted(name)} is missing.`);
}

const isText = (value: unknown) => typeof value === 'string' && value.length <= 10_000;

const kinds: Readonly<
  Record<keyof Kinds, { readonly is: (value: unknown) => boolean; readonly wanted: string }>
> = {
  text: { is: isText, wanted: 'a text' },
  flag: { is: (value) => typeof value === 'boolean', wanted: 'true or false' },
  number: { is: (value) => typeof value === 'number' && Number.isFinite(value), wanted: 'a number' },
  texts: { is: (value) => Array.isArray(value) && value.every(isText), wanted: 'a list of texts' },
  map: {
    is: (value) => isObject(value) && Object.values(value).every(isText),
    wanted: 'an object whose members are texts',
  },
  object: { is: isObject, wanted: 'an object' },
  instant: { is: isText, wanted: 'an instant, as 2026-03-02T09:00:00Z' },
  any: { is: () => true, wanted: '' },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

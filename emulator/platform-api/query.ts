import type { Instant } from '../engine/time.js';
import { invalidRequest, type Problem } from './api-error.js';
import { readDatetime } from './local-time.js';

/** Reads one value of a query; `problem` stands for what is wrong with it. */
export type Reader<T> = (text: string) => T | { readonly problem: Omit<Problem, 'attr'> };

type Readers = Readonly<Record<string, Reader<unknown>>>;
type Read<R extends Readers> = {
  readonly [Name in keyof R]?: R[Name] extends Reader<infer T> ? T : never;
};

/**
 * The parameters that are known, read; others are ignored, since clients may send what we have not documented yet.
 * @throws ApiError 400 with all problems at once.
 */
export function readQuery<R extends Readers>(query: URLSearchParams, readers: R): Read<R> {
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const [text, ...more] = query.getAll(name);
    if (text === undefined) continue;
    const value = more.length > 0 ? wrong('repeated_parameter', 'May be given once.') : read(text);
    if (isWrong(value)) problems.push({ ...value.problem, attr: name });
    else values[name] = value;
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return values as Read<R>;
}

/** In any case, since Python writes `True`, and as 1 or 0. */
export const boolean: Reader<boolean> = (text) => {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : wrong('invalid_boolean', 'Must be true or false.');
};

export const brandCode: Reader<string> = (text) =>
  /^[A-Z][A-Z0-9_]{0,99}$/.test(text)
    ? text
    : wrong('invalid_brand', 'Must be a brand code: capital letters, digits and underscores.');

export const datetime: Reader<Instant> = (text) => {
  const read = readDatetime(text);
  if (read === 'invalid_datetime')
    return wrong(read, 'Must be an ISO 8601 datetime, as 2026-03-02T09:00:00Z.');
  if (read === 'nonexistent_local_time') {
    return wrong(read, 'Clocks in London skip this local time. Send a timezone.');
  }
  return read;
};

export const pageNumber: Reader<number> = (text) =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : wrong('invalid_page', 'Must be a whole number from 1.');

export function pageSize(most: number): Reader<number> {
  return (text) =>
    /^[1-9]\d{0,8}$/.test(text) && Number(text) <= most
      ? Number(text)
      : wrong('invalid_page_size', `Must be a whole number from 1 to ${most}.`);
}

function wrong(code: string, detail: string): { readonly problem: Omit<Problem, 'attr'> } {
  return { problem: { code, detail } };
}

function isWrong(value: unknown): value is ReturnType<typeof wrong> {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

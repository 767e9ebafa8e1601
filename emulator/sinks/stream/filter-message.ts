import {
  maxFilterEntries,
  maxFilterTextLength,
  type StreamFilter,
} from '../../../src/transports/websocket-protocol.js';

/**
 * Reads the filter of a subscription.
 * @throws Error whose message says what is wrong with it.
 */
export function readFilter(value: unknown): StreamFilter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('"filter" must be an object.');
  }
  for (const [name, member] of Object.entries(value)) {
    // Own names only: `constructor` is no member either.
    const check = Object.hasOwn(checks, name) ? checks[name as keyof StreamFilter] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks).join(', ');
      throw new Error(`"${name.slice(0, 50)}" does not belong in a "filter"; it has ${known}.`);
    }
    const wrong = check(member);
    if (wrong !== undefined) throw new Error(`"${name}" of the filter must be ${wrong}.`);
  }
  return value;
}

/** Answers what a member must be, when it is something else. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === 'string' && value !== '' && value.length <= maxFilterTextLength
    ? undefined
    : `a text of 1 to ${maxFilterTextLength} characters`;

const texts: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxFilterEntries &&
  value.every((each) => text(each) === undefined)
    ? undefined
    : `a list of 1 to ${maxFilterEntries} texts, each of 1 to ${maxFilterTextLength} characters`;

const checks: Readonly<Record<keyof StreamFilter, Check>> = {
  types: texts,
  domains: texts,
  account: text,
  cell: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'a whole number from 0 on',
  process: text,
  text,
  faults: (value) => (value === true ? undefined : 'true, or left out'),
};

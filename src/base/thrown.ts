import { BusbarError } from './errors.js';

/** What may be said of an error: ours never quotes a record, what another library or a user's function throws may. */
export function told(error: unknown): string {
  if (isOurs(error)) return error.message;
  return `it failed with ${kindOf(error)}.`;
}

/** Whether the value is an error of ours. Takes any thrown value. */
export function isOurs(thrown: unknown): thrown is BusbarError {
  return isError(thrown) && thrown instanceof BusbarError;
}

/** The class of a thrown error, or the type of another thrown value, for a message. */
export function kindOf(thrown: unknown): string {
  return isError(thrown) ? classOf(thrown) : `a thrown ${typeof thrown}`;
}

/**
 * The class of an error: its name where it has one of its own, else the name of its constructor. What is not an
 * identifier may have been made from data, and does not count. Of another value its type.
 */
export function classOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown;
  const names = [propertyOf(thrown, 'name'), propertyOf(propertyOf(thrown, 'constructor'), 'name')]
    .filter((name) => typeof name === 'string')
    .filter((name) => identifier.test(name));
  return names.find((name) => /^[A-Z]/.test(name) && !inheritedNames.has(name)) ?? names[0] ?? 'Error';
}

/** Six digits in a row are no class, but may be somebody's number. */
const identifier = /^(?=.{1,80}$)(?!.*\d{6})[A-Za-z_$][\w$]*$/;

/** Names that an error inherits, and `NodeError`, by which Node makes errors with these names. */
const inheritedNames: ReadonlySet<string> = new Set([
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
  ...['URIError', 'NodeError'],
]);

/** Also of an error from another realm, and for a value that throws when it is inspected. */
export function isError(value: unknown): boolean {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
  } catch {
    return false;
  }
}

/** Reads a property of a value that may be anything; undefined where reading it throws. */
export function propertyOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

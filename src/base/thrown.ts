import { BusbarError } from './errors.js';

/** Returns a loggable description of an error: the message of a BusbarError, or the class of another error. */
export function safeMessage(error: unknown): string {
  if (isOurs(error)) return error.message;
  return `it failed with ${kindOf(error)}.`;
}

/** Whether the thrown value is a {@link BusbarError}, whose message never quotes a record. */
export function isOurs(thrown: unknown): thrown is BusbarError {
  return isError(thrown) && thrown instanceof BusbarError;
}

/** Returns the class of a thrown error, or the type of another thrown value, for a message. */
export function kindOf(thrown: unknown): string {
  return isError(thrown) ? classOf(thrown) : `a thrown ${typeof thrown}`;
}

/**
 * Returns the class of an error: its own name, else the name of its constructor. Ignores names that are not identifiers,
 * because they may contain data. Returns the type of any other value.
 */
export function classOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown;
  const names = [propertyOf(thrown, 'name'), propertyOf(propertyOf(thrown, 'constructor'), 'name')]
    .filter((name) => typeof name === 'string')
    .filter((name) => identifier.test(name));
  return names.find((name) => /^[A-Z]/.test(name) && !inheritedNames.has(name)) ?? names[0] ?? 'Error';
}

/** Excludes names with six digits in a row, which may be a customer's number. */
const identifier = /^(?=.{1,80}$)(?!.*\d{6})[A-Za-z_$][\w$]*$/;

/** Inherited names of errors, and `NodeError`, the constructor of Node's errors with these names. */
const inheritedNames: ReadonlySet<string> = new Set([
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError'],
  ...['URIError', 'NodeError'],
]);

/** Whether the value is an error, also from another realm. Returns false if inspecting the value throws. */
export function isError(value: unknown): boolean {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
  } catch {
    return false;
  }
}

/** Returns a property of any value, or undefined if reading it throws. */
export function propertyOf(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** The codes and their meanings, which a bundled consumer leaves out. */
const meanings = {
  'unknown-event': 'The catalogue has no event of that name.',
  'unknown-version': 'The event exists, but not in that version.',
  'invalid-schema': 'A schema given to the catalogue cannot be used.',
  'invalid-option': 'An option has a value that it cannot have.',
  'duplicate-handler': 'An event version was given a second handler.',
  'invalid-upcast': 'The upcast already exists or forms a cycle.',
  'next-called-twice': 'A middleware called `next()` twice.',
  'next-called-late': 'A middleware called `next()` after it had ended.',
  'no-transaction': 'The handler requested a transaction, but none is open.',
  'missing-occurrence-id': '`idempotent()` met an event without the id that repeated events share.',
  'missing-package': 'An optional package is needed but not installed.',
  'no-handlers': 'A consumer was run without a handler.',
  'no-dead-letters': 'A policy requires dead letters, but the transport has none.',
  'unknown-scenario': 'There is no scenario of that name.',
  'unknown-branch': 'The scenario lacks that branch.',
  'unknown-account': 'The run has no account of that number.',
  'unknown-import-supplier': 'The run has no import supplier of that code.',
  'invalid-module': 'A module cannot be loaded, or does not export what it should.',
  'run-over': 'The run has ended and accepts no input.',
  'port-in-use': 'Another program listens on the port.',
  'connection-failed': 'The other side cannot be reached, or did not respond.',
  'protocol-violation': 'The other side violates the protocol.',
  'not-authorized': 'The other side rejected the login, or the user lacks a permission.',
  'unknown-topic': 'Kafka has no topic of that name.',
  'unknown-group': 'Kafka has no consumer group of that name.',
  'group-mismatch': 'The consumer group rejects the configuration of this member.',
  'group-active': 'A consumer group must have no members for this operation.',
  'record-refused': 'Kafka rejects a record, and retries do not help.',
  'undecodable-record': 'A record is not an event in the expected wire format.',
  'unknown-record': 'A record names an event that the catalogue does not have.',
  'invalid-event': 'A payload does not match its schema.',
  'upcast-failed': 'An upcast threw, or its result does not match its schema.',
  'unhandled-event': 'The policy requires a handler for this event.',
  'handler-failed': 'A handler threw or rejected, and no attempt is left.',
  'deadline-exceeded': 'A handler did not end in time, and no attempt is left.',
  'never-idle': 'A consumer on a test bench does not become idle.',
  'not-consumed': 'A consumer group has not committed every sent record.',
  'held-key': 'An earlier record of the same key is among the dead letters.',
  'dead-letter-failed': 'A record could not be dead-lettered.',
  'invalid-recording': 'A file is not a recording, has a broken line, or belongs to another run.',
  'file-failed': 'A file is broken or cannot be written.',
  'scenario-failed': 'A scenario threw, or did what a scenario must not do.',
  'capacity-exceeded': 'A request exceeds the capacity of an identifier format or a limit.',
};

/** Codes that a changed call fixes. The others happen while running. */
const usageCodes: ReadonlySet<string> = new Set([
  'unknown-event',
  'unknown-version',
  'invalid-schema',
  'invalid-option',
  'duplicate-handler',
  'invalid-upcast',
  'next-called-twice',
  'next-called-late',
  'no-transaction',
  'missing-occurrence-id',
  'missing-package',
  'no-handlers',
  'no-dead-letters',
  'unknown-scenario',
  'unknown-branch',
  'unknown-account',
  'unknown-import-supplier',
  'invalid-module',
  'run-over',
] satisfies (keyof typeof meanings)[]);

/**
 * Every code of a {@link BusbarError}. Fix `usage` errors by changing the call (commands exit 2); a `failure` happens
 * while running (commands exit 1). `docs/reference/errors.md` explains each code and its fix; a test compares the two.
 */
export const errorCodes = /* @__PURE__ */ describeCodes();

/** A code of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

function describeCodes() {
  const described = Object.entries(meanings).map(([code, meaning]) => [
    code,
    { kind: kindOfCode(code), meaning },
  ]);
  return Object.fromEntries(described) as {
    readonly [Code in keyof typeof meanings]: {
      readonly kind: 'usage' | 'failure';
      readonly meaning: string;
    };
  };
}

function kindOfCode(code: string): 'usage' | 'failure' {
  return usageCodes.has(code) ? 'usage' : 'failure';
}

/**
 * The only error class of Busbar. Its message describes the problem, with names in quotes, and the fix. It never
 * contains payload values, so you may log and send it.
 */
export class BusbarError extends Error {
  override readonly name = 'BusbarError';
  /** Code of the error. Stable, so code may branch on it. */
  readonly code: ErrorCode;
  /** Options that the message names in quotes, for example `http.port`. Commands print their flags instead. */
  declare readonly options?: readonly string[];

  constructor(code: ErrorCode, message: string, about?: ErrorOptions & Pick<BusbarError, 'options'>) {
    super(message, about);
    this.code = code;
    if (about?.options !== undefined) this.options = about.options;
  }

  get kind(): 'usage' | 'failure' {
    return kindOfCode(this.code);
  }
}

/** Returns a {@link BusbarError} with another message, for example one that names the file, and any other value unchanged. */
export function reworded(thrown: unknown, change: (message: string) => string): unknown {
  if (!(thrown instanceof BusbarError)) return thrown;
  const { code, message, options } = thrown;
  return new BusbarError(code, change(message), { cause: thrown, ...(options && { options }) });
}

// An error of another copy of this module is one, too: tsx loads a copy for the module that it imports.
const brand = Symbol.for('busbar.error');
Object.defineProperty(BusbarError.prototype, brand, { value: true });
Object.defineProperty(BusbarError, Symbol.hasInstance, {
  value(this: unknown, thrown: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, thrown)) return true;
    return this === BusbarError && thrown instanceof Error && brand in thrown;
  },
});

const maxQuoted = 120;

/** Returns a name for a message: in quotes, with control characters escaped, truncated after 120 characters. */
export function quoted(name: string): string {
  const short = name.length > maxQuoted ? `${name.slice(0, maxQuoted)}...` : name;
  // Paths of Windows have backslashes.
  return JSON.stringify(short).replaceAll('\\\\', '\\');
}

/**
 * Returns the error for an input file that cannot be read. The user named it, so it counts as wrong use.
 * @param cause The error of the file system.
 */
export function unreadable(file: string, cause: unknown, advice: string): BusbarError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const reason = code === 'EISDIR' ? 'it is a folder' : code;
  const message = `File ${quoted(file)} cannot be read: ${reason}. ${advice}`;
  return new BusbarError('invalid-option', message, { cause });
}

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

/**
 * Every code that a {@link BusbarError} can carry. `kind` says whose turn it is: `usage` is mended by calling
 * differently (commands exit 2), `failure` is something that went wrong while running (commands exit 1).
 * `docs/errors.md` holds the same list with what to do; a test compares the two both ways.
 */
export const errorCodes = {
  'unknown-event': { kind: 'usage', meaning: 'The catalogue has no event of that name.' },
  'unknown-version': { kind: 'usage', meaning: 'The event exists, but not in that version.' },
  'invalid-schema': { kind: 'usage', meaning: 'A schema given to the catalogue cannot be used.' },
  'invalid-option': { kind: 'usage', meaning: 'An option has a value that it cannot have.' },
  'duplicate-handler': { kind: 'usage', meaning: 'An event version was given a second handler.' },
  'invalid-upcast': { kind: 'usage', meaning: 'An upcast is there already, or leads in a circle.' },
  'next-called-twice': { kind: 'usage', meaning: 'A middleware called `next()` twice.' },
  'no-transaction': { kind: 'usage', meaning: 'A handler asked for a transaction that nobody began.' },
  'missing-occurrence-id': {
    kind: 'usage',
    meaning: "`idempotent({ by: 'occurrence' })` met an event whose envelope carries no occurrence id.",
  },
  'missing-package': { kind: 'usage', meaning: 'An optional package is needed and not installed.' },
  'no-handlers': { kind: 'usage', meaning: 'A consumer was run without a single handler.' },
  'no-dead-letters': { kind: 'usage', meaning: 'A policy asks for dead letters of a transport without any.' },
  'unknown-scenario': { kind: 'usage', meaning: 'There is no scenario of that name.' },
  'unknown-branch': { kind: 'usage', meaning: 'The scenario does not declare that branch.' },
  'unknown-account': { kind: 'usage', meaning: 'The run has no account of that number.' },
  'unknown-import-supplier': { kind: 'usage', meaning: 'The run has no import supplier of that code.' },
  'invalid-module': {
    kind: 'usage',
    meaning: 'A module cannot be loaded, or does not export what it should.',
  },
  'run-over': { kind: 'usage', meaning: 'The run was stopped or has failed, and takes nothing in any more.' },
  'port-in-use': { kind: 'failure', meaning: 'Another program listens on the port.' },
  'connection-failed': {
    kind: 'failure',
    meaning: 'The other side could not be reached or went away for good.',
  },
  'protocol-violation': {
    kind: 'failure',
    meaning: 'The other side sent something that the protocol does not allow.',
  },
  'not-authorized': {
    kind: 'failure',
    meaning: 'The other side does not let this user in, or not do this.',
  },
  'unknown-topic': { kind: 'failure', meaning: 'Kafka has no topic of that name.' },
  'unknown-group': { kind: 'failure', meaning: 'Kafka has no consumer group of that name.' },
  'group-mismatch': {
    kind: 'failure',
    meaning: 'The consumer group does not take this member as it is configured.',
  },
  'group-active': { kind: 'failure', meaning: 'A consumer group has members, and must have none for this.' },
  'record-refused': { kind: 'failure', meaning: 'Kafka will never take a record, however often it is sent.' },
  'undecodable-record': { kind: 'failure', meaning: 'A record is not an event in the expected wire format.' },
  'unknown-record': { kind: 'failure', meaning: 'A record names an event that the catalogue does not have.' },
  'invalid-event': { kind: 'failure', meaning: 'A payload does not match its schema.' },
  'upcast-failed': { kind: 'failure', meaning: 'An upcast threw, or its result does not match its schema.' },
  'unhandled-event': { kind: 'failure', meaning: 'An event has no handler, and the policy minds.' },
  'handler-failed': { kind: 'failure', meaning: 'A handler threw or rejected, and no attempt is left.' },
  'deadline-exceeded': { kind: 'failure', meaning: 'A handler did not end in time, and no attempt is left.' },
  'never-idle': { kind: 'failure', meaning: 'A consumer on a test bench does not come to rest.' },
  'not-consumed': { kind: 'failure', meaning: 'A consumer group has not committed all that was sent.' },
  'held-key': { kind: 'failure', meaning: 'An earlier record of the same key is among the dead letters.' },
  'dead-letter-failed': { kind: 'failure', meaning: 'A record could not be set aside.' },
  'invalid-recording': {
    kind: 'failure',
    meaning: 'A file is no recording, or a line of it is broken, or it is of another run.',
  },
  'file-failed': { kind: 'failure', meaning: 'A file could not be read or written.' },
  'scenario-failed': { kind: 'failure', meaning: 'A scenario threw, or did what a scenario must not do.' },
  'capacity-exceeded': {
    kind: 'failure',
    meaning: 'More was asked for than an identifier format or a bound can hold.',
  },
} as const satisfies Record<string, { kind: 'usage' | 'failure'; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * The one error class of Busbar. The message says what happened, the concrete name in quotes and what to do; it never
 * holds payload values, so it may be logged and sent.
 */
export class BusbarError extends Error {
  override readonly name = 'BusbarError';
  /** Stable; safe to branch on. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get kind(): 'usage' | 'failure' {
    return errorCodes[this.code].kind;
  }
}

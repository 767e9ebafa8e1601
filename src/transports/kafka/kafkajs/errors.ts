import { BusbarError, quoted } from '../../../base/errors.js';
import { errorCodes, errorName } from '../../../kafka-protocol/error-codes.js';
import type { Partition } from '../../transport.js';

/** The refusal of a request by a broker. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** Kafka's name of the error. */
  readonly type: string;

  readonly code: number;

  constructor(code: number, at?: Partition) {
    const type = errorName(code);
    super(at === undefined ? type : `${type} for topic ${quoted(at.topic)}, partition ${at.partition}`);
    this.code = code;
    this.type = type;
  }
}

/** @throws Refused for the code of an error */
export function checkCode(code: number, at?: Partition): void {
  if (code !== errorCodes.none) throw new Refused(code, at);
}

/** Errors of a coordinator that is about to be ready, and of a generation that a member is about to join. */
const settling: ReadonlySet<number> = new Set([
  errorCodes.coordinatorLoadInProgress,
  errorCodes.coordinatorNotAvailable,
  errorCodes.notCoordinator,
  errorCodes.illegalGeneration,
  errorCodes.rebalanceInProgress,
]);

/** Whether a group has refused the request, and would refuse it again within seconds. */
export function isDecided(error: unknown): boolean {
  return error instanceof Refused && !settling.has(error.code);
}

const unauthorized = /AUTHORIZATION_FAILED$/;
const unauthenticated = /^SASL_AUTHENTICATION_FAILED$|_SASL_(STATE|MECHANISM)$/;
/** Refusals of a group, each with the advice for it. */
const groupMismatch: ReadonlyMap<string | undefined, string> = new Map([
  [
    'INCONSISTENT_GROUP_PROTOCOL',
    'Its members assign partitions in another way: choose another "groupId", or stop them first.',
  ],
  ['FENCED_INSTANCE_ID', 'Another process has the same "groupInstanceId". Give each process its own.'],
  ['INVALID_SESSION_TIMEOUT', 'Choose a value that the broker allows.'],
  ['INVALID_GROUP_ID', 'Choose a value that the broker allows.'],
]);
const refused = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'CORRUPT_MESSAGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'POLICY_VIOLATION',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
]);

/** Returns Kafka's name of an error or of its cause. */
export function typeOf(error: unknown): string | undefined {
  for (const each of causes(error)) {
    const { type } = each as { readonly type?: unknown };
    if (typeof type === 'string' && type !== 'UNKNOWN') return type;
  }
  return undefined;
}

/** Whether retries do not help. */
export function isFinal(error: unknown): boolean {
  return translated(error, '', '').code !== 'connection-failed';
}

/** Returns the BusbarError for an error, or the one that caused it. `what` ends a sentence, for example `could not be reached`. */
export function translated(error: unknown, where: string, what: string): BusbarError {
  const own = causes(error).find((each) => each instanceof BusbarError);
  if (own !== undefined) return own;
  const type = typeOf(error);
  const reason = type ?? (error instanceof Error ? deepest(error).message : String(error));
  const message = (advice: string, how = what) => `Kafka at ${where} ${how} (${reason}). ${advice}`;
  const about = { cause: error, options: ['sasl', 'ssl'] };
  if ((type !== undefined && unauthenticated.test(type)) || isSaslFailure(error)) {
    const advice =
      type === 'ILLEGAL_SASL_STATE'
        ? 'Its port may expect no login, or the token may be broken. Check "sasl".'
        : 'Check "sasl".';
    return new BusbarError('not-authorized', message(advice, 'rejected this user'), about);
  }
  if (type !== undefined && unauthorized.test(type)) {
    return new BusbarError('not-authorized', message('Check the permissions of the "sasl" user.'), about);
  }
  const mismatch = groupMismatch.get(type);
  if (mismatch !== undefined) return new BusbarError('group-mismatch', message(mismatch), about);
  if (type !== undefined && refused.has(type)) {
    return new BusbarError('record-refused', message('Correct the record or the topic.'), about);
  }
  let advice = 'Check the addresses, the network, "ssl" and "sasl".';
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') advice = 'Check that the topic exists.';
  else if (type !== undefined) advice = 'Check the brokers.';
  return new BusbarError('connection-failed', message(advice), about);
}

/** Whether the broker did not respond to a request. */
export function isTimeout(error: unknown): boolean {
  return causes(error).some(({ name }) => name === 'KafkaJSRequestTimeoutError');
}

/** Whether the broker refused the user. */
function isSaslFailure(error: unknown): boolean {
  return causes(error).some(
    ({ name, message }) => name === 'KafkaJSSASLAuthenticationError' && !interruption.test(message),
  );
}

/** The part of a message of kafkajs that says why, when the connection failed during the authentication. It keeps no cause. */
const interruption =
  /failed: (Closed connection|Connection (error|timeout)|Not connected|Request .* timed out)/;

function deepest(error: Error): Error {
  return causes(error).at(-1) ?? error;
}

/** Returns an error and its causes, at most 8. Of an aggregate error, the first of its errors is the cause. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let each = error; each instanceof Error && found.length < 8; ) {
    found.push(each);
    each = each.cause ?? (each as { readonly errors?: readonly unknown[] }).errors?.[0];
  }
  return found;
}

import { grouped } from 'busbar/base';
import { createHash } from 'node:crypto';

/** A kind of mistake that verification recognises: data for reports and documentation. */
export interface Diagnosis {
  /** Completes a sentence about a handler, an event or a table. */
  readonly title: string;
  /** Instruction for the fix, as a sentence. */
  readonly fix: string;
  /** Title of the page in the documentation that explains the fix. */
  readonly page: string;
}

/** All diagnoses, by the names that reports, accepted causes and tests use. */
export const diagnoses = {
  'not-idempotent': {
    title: 'applies an event again when it is redelivered',
    fix: 'Insert under a unique key made of the event id, in the transaction of the effect. In Node.js, idempotent() does so.',
    page: 'Process events once',
  },
  'fails-when-repeated': {
    title: 'fails when the event comes again',
    fix: 'Write with ON CONFLICT DO NOTHING, or pass the event through idempotent().',
    page: 'Process events once',
  },
  'forgets-too-soon': {
    title: 'forgets handled events while they can still be redelivered',
    fix: 'Keep the ids of handled events longer than the topic retains its records.',
    page: 'Process events once',
  },
  'forgets-at-restart': {
    title: 'forgets handled events at a restart',
    fix: 'Store the ids of handled events in the transaction of the effect.',
    page: 'Process events once',
  },
  'outdated-memory': {
    title: 'relies on memory that another process has made outdated',
    fix: 'Read the row in the transaction of the effect, or forget what is cached when partitions are assigned.',
    page: 'Delivery guarantees',
  },
  'counts-versions-twice': {
    title: 'counts an occurrence twice when it comes in two versions',
    fix: "Handle one of the versions, or use idempotent() with by: 'occurrence'.",
    page: 'Handle versions',
  },
  'committed-before-work': {
    title: 'commits an event before its work is done',
    fix: 'Finish the work in the handler, and commit the offset afterwards.',
    page: 'Delivery guarantees',
  },
  'seen-before-effect': {
    title: 'marks an event as handled before its effect',
    fix: 'Commit the mark and the effect in one transaction.',
    page: 'Process events once',
  },
  'work-floats': {
    title: 'does not await its work',
    fix: 'Await or return every promise of the work, so that an error fails the handler.',
    page: 'Checks and diagnoses',
  },
  'order-across-keys': {
    title: 'relies on the order of events with different keys',
    fix: 'Store what comes early, or throw, so that the event is retried.',
    page: 'Delivery guarantees',
  },
  races: {
    title: 'loses a change when events with different keys arrive at the same time',
    fix: 'Change the row in one statement, lock it before you read it, or keep these events in one lane with laneBy.',
    page: 'Delivery guarantees',
  },
  'order-within-occurrence': {
    title: 'relies on the order of the versions of an occurrence',
    fix: 'Let each version write its own fields, or handle only one version.',
    page: 'Handle versions',
  },
  'needs-optional-field': {
    title: 'requires an optional field',
    fix: 'Handle payloads without the field.',
    page: 'Set up TypeScript and modules',
  },
  'stores-nothing': {
    title: 'has no effect if optional values are missing',
    fix: 'Accept the cause if there is nothing to store. Otherwise handle payloads without these values.',
    page: 'Verify a consumer',
  },
  'rejects-unknown-fields': {
    title: 'rejects fields that it does not know',
    fix: 'Ignore unknown fields. The platform may add fields at any time.',
    page: 'Handle versions',
  },
  'one-reading': {
    title: 'relies on one legal reading of the specification',
    fix: 'Parse every legal form of the value. The reason names the variation.',
    page: 'Inject faults and variations',
  },
  'reads-local-time': {
    title: 'depends on the time zone of its machine',
    fix: 'Convert times in a named zone, e.g. Europe/London. If all machines have one time zone, set TZ: then the check does not run.',
    page: 'Checks and diagnoses',
  },
  'handler-fails': {
    title: 'fails',
    fix: 'Fix the error that the handler throws for a valid event.',
    page: 'Checks and diagnoses',
  },
  'handler-hangs': {
    title: 'does not end',
    fix: 'Give each wait a timeout, or raise "handlerTimeout" for slow work.',
    page: 'Verify a consumer',
  },
  'swallows-errors': {
    title: 'reports success after an error',
    fix: 'Throw the error again, so that the event is retried until it succeeds, or dead-lettered.',
    page: 'Delivery guarantees',
  },
  'ignores-outage': {
    title: 'does not try again after an outage of a dependency',
    fix: 'Throw when the response is neither a success nor the result that you expect, and retry until the outage ends.',
    page: 'Call the REST API',
  },
  'loses-failed-events': {
    title: 'loses an event whose handler fails',
    fix: 'Let the error leave the middleware, so that the event is retried or dead-lettered.',
    page: 'Replay dead letters',
  },
  'hides-damage': {
    title: 'counts a damaged event as handled',
    fix: 'Let damaged events fail, so that they are reported or dead-lettered.',
    page: 'Replay dead letters',
  },
  'damage-spreads': {
    title: 'fails for other households after a damaged event',
    fix: 'Keep no state between events that a damaged event can break.',
    page: 'Replay dead letters',
  },
  stalled: {
    title: 'makes no progress',
    fix: 'Dead-letter or skip a record that cannot be handled.',
    page: 'Replay dead letters',
  },
  'leaves-group': {
    title: 'leaves its group and keeps running',
    fix: 'End the process when its consumer stops, so that it is started again. kafkajs reports this with the event CRASH.',
    page: 'Test over the broker',
  },
  'run-ends': {
    title: 'ends the run of the consumer',
    fix: 'Catch the error where it occurs. The error below ended the run.',
    page: 'Troubleshoot',
  },
  'changes-payload': {
    title: 'changes the payload',
    fix: 'Copy the payload before you change it. Other handlers and middleware read it.',
    page: 'Checks and diagnoses',
  },
  'uncaught-error': {
    title: 'leaves an error uncaught',
    fix: 'Await the promise, or catch its error. Node ends a process at an unhandled rejection.',
    page: 'Checks and diagnoses',
  },
  leaks: {
    title: 'keeps memory or handles for each event',
    fix: 'Bound caches, and close timers and sockets.',
    page: 'Monitor a consumer',
  },
  'misses-version': {
    title: 'has no handler for a later version',
    fix: 'Add a handler for the later version.',
    page: 'Handle versions',
  },
  'not-the-truth': {
    title: 'does not match the ground truth',
    fix: 'Compare the fields that differ with the events. No fault is involved.',
    page: 'Verify a consumer',
  },
  diverged: {
    title: 'ends in a different state than without faults',
    fix: 'Compare the fields that differ with the deliveries that lead there.',
    page: 'Checks and diagnoses',
  },
} as const satisfies Readonly<Record<string, Diagnosis>>;

export type DiagnosisName = keyof typeof diagnoses;

/** Mistakes of the code around all handlers: they show at any event. */
export const ofConsumer: ReadonlySet<DiagnosisName> = new Set([
  'committed-before-work',
  'seen-before-effect',
  'forgets-at-restart',
]);

/** A frame of the user's own code, outside packages, Node and Busbar. */
export interface OwnFrame {
  /** File, line and column, e.g. `src/accounts.ts:18:9`. */
  readonly at: string;
  /** The line and its neighbours; empty if the source cannot be read. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** An error of the consumer. All payloads of a verification are synthetic, so the message may be printed. */
export interface ShownError {
  /** Class of the error, e.g. `TypeError`. */
  readonly kind: string;
  /** SQLSTATE, errno or another code. */
  readonly code?: string;
  /** Constraint of the database that the error names. */
  readonly constraint?: string;
  /** Missing if messages are hidden. */
  readonly message?: string;
  readonly frame?: OwnFrame;
}

/** A failure of one check for one event or scenario. */
export interface Problem {
  readonly diagnosis: DiagnosisName;
  /** Handler, event or table that the diagnosis is about. */
  readonly about: string;
  /** Description of the failure, as a sentence. */
  readonly reason: string;
  readonly error?: ShownError;
  /** Fields that differ, without the keys of rows, e.g. `status`. */
  readonly fields?: readonly string[];
  /** Last lines that the process wrote. */
  readonly output?: readonly string[];
}

/** A recording of deliveries and rules that make a check fail. */
export interface Repro {
  /** File name, e.g. `repro-3fa1c2.json`. */
  readonly file: string;
  /** Content for the file. */
  readonly content: string;
  /** A line for each delivery or rule. */
  readonly deliveries: readonly string[];
}

/** A problem after its reproduction was replayed from a clean state. */
export interface Finding extends Problem {
  readonly check: string;
  /** Catalogue name of an event, or a scenario with its branches. */
  readonly subject: string;
  /** Only a finding that was shown again fails. A warning never needs a reproduction. */
  readonly status: 'failed' | 'warned' | 'unconfirmed';
  /** Number of replays, and of those that showed the problem. */
  readonly rate?: { readonly shown: number; readonly of: number };
  readonly repro?: Repro;
}

/** A problem must be shown in two of three runs: when it is found, and in up to two replays. */
export const runs: Readonly<Record<'most' | 'needed', number>> = { most: 3, needed: 2 };

/** All findings that one mistake explains. */
export interface Cause {
  /** Six hexadecimal digits. They survive edits that move lines. */
  readonly id: string;
  readonly diagnosis: DiagnosisName;
  readonly title: string;
  /** Status of the worst finding, or `accepted`. */
  readonly status: Finding['status'] | 'accepted';
  /** Checks that show the cause, in the order in which they ran. */
  readonly checks: readonly string[];
  /** Events and scenarios that show the cause. */
  readonly subjects: readonly string[];
  /** The finding to read: the worst, then the one with the fewest deliveries. */
  readonly shown: Finding;
  /** Reason and last day of an accepted cause. */
  readonly accepted?: { readonly because: string; readonly until: string };
}

/** Returns the id of a problem's cause. It depends on no line number, value, field or seed. */
export function causeId({ diagnosis, about, error }: Problem): string {
  const key = error?.frame === undefined ? [] : ownFrame(error.frame);
  return createHash('sha256')
    .update(JSON.stringify([diagnosis, about, key]))
    .digest('hex')
    .slice(0, 6);
}

/** Returns the file of a frame and the text of its line. */
function ownFrame({ at, lines }: OwnFrame): readonly string[] {
  const [, file = at, number] = /^(.*):(\d+):\d+$/.exec(at) ?? [];
  return [file, lines.find((line) => line.number === Number(number))?.text.trim() ?? ''];
}

/**
 * Returns the finding, named by another one that explains it: by the field whose absence leads to the same error, by the
 * line of work that the same handler does not await, or by what another check has found before random faults show it.
 */
export function explainedBy(findings: readonly Finding[], finding: Finding): Finding {
  const { check, diagnosis, about, error } = finding;
  if (diagnosis === 'handler-fails' && error?.frame !== undefined) {
    const named = { ...finding, diagnosis: 'needs-optional-field' as const };
    const isSame = (other: Finding) =>
      causeId(other) === causeId(named) &&
      other.error?.kind === error.kind &&
      other.error.code === error.code;
    return findings.some(isSame) ? named : finding;
  }
  const alike = findings.filter((each) => each.diagnosis === diagnosis);
  const own = alike.filter((each) => each.about === about);
  const others = (own.length > 0 ? own : alike).filter((each) => each.check !== 'faults');
  const known =
    check === 'faults'
      ? others[0]
      : own.find((each) => error?.frame === undefined && each.error?.frame !== undefined);
  return { ...finding, ...(known && { about: known.about, ...(known.error && { error: known.error }) }) };
}

/** Returns the name of the file with a cause's reproduction. */
export function reproFile(cause: string): string {
  return `repro-${cause}.json`;
}

/** Groups findings into causes: failures first, then in the order of the first finding. */
export function causesOf(findings: readonly Finding[]): Cause[] {
  const causes = [...grouped(findings, causeId)].map(([id, all]) => {
    const [{ repro, ...shown }] = [...all].sort(byWeight) as [Finding];
    const { diagnosis, about, status } = shown;
    return {
      id,
      diagnosis,
      title: `${about}: ${diagnoses[diagnosis].title}`,
      status,
      checks: [...new Set(all.map(({ check }) => check))],
      subjects: [...new Set(all.map(({ subject }) => subject))],
      shown: { ...shown, ...(repro && { repro: { ...repro, file: reproFile(id) } }) },
    };
  });
  return causes.sort((one, other) => ranks.indexOf(one.status) - ranks.indexOf(other.status));
}

/** The worst status first. */
const ranks: readonly Cause['status'][] = ['failed', 'unconfirmed', 'warned', 'accepted'];

function byWeight(one: Finding, other: Finding): number {
  const length = ({ repro }: Finding) => repro?.deliveries.length ?? Infinity;
  const order = ranks.indexOf(one.status) - ranks.indexOf(other.status);
  return order !== 0 ? order : length(one) === length(other) ? 0 : length(one) - length(other);
}

import { type Acceptance, isAccepted, unusedAcceptances } from './accept.js';
import { type Cause, causeId, causesOf, explainedBy, type Finding } from './causes.js';

/** The status of a check for one event or scenario. `suspected`: the budget ended before a failure was confirmed. */
export type CheckStatus =
  | 'passed'
  | 'warned'
  | 'failed'
  | 'unconfirmed'
  | 'suspected'
  | 'accepted'
  | 'not-run';

/** The result of a check for one event or scenario. */
export interface CheckResult {
  /** Name of the check, e.g. `duplicates`. */
  readonly name: string;
  /** Catalogue name of an event, or a scenario with its branches. */
  readonly subject: string;
  readonly status: CheckStatus;
  /** Reason for a status other than `passed`. */
  readonly reason?: string;
  /** Id of the cause in {@link ContractReport.causes}. */
  readonly cause?: string;
  /** Whether the budget ended before the check. Default false. */
  readonly isCut?: boolean;
  /** Wall time, in milliseconds. */
  readonly duration: number;
}

/** The events, branches and fields that a verification covered. */
export interface Coverage {
  /** Catalogue names of the events that the consumer handles. */
  readonly handled: readonly string[];
  /** Handled events that occurred in a scenario. The others were only checked with samples. */
  readonly exercised: readonly string[];
  /** Branch outcomes of the played scenarios, e.g. `house-move account=new`. */
  readonly branches: { readonly taken: readonly string[]; readonly missed: readonly string[] };
  /** Number of optional fields of handled events, and paths of those never seen present, or never absent. */
  readonly optionalFields: {
    readonly total: number;
    readonly neverPresent: readonly string[];
    readonly neverAbsent: readonly string[];
  };
}

/** The report of {@link verifyConsumer}: what was found, once for each cause, and what was checked. */
export interface ContractReport {
  /** Whether no cause failed, and every failure that was seen was replayed. With `strict`, also whether the budget cut no check. */
  readonly passed: boolean;
  readonly seed: number;
  /** Causes of failures and warnings, the worst first. */
  readonly causes: readonly Cause[];
  readonly checks: readonly CheckResult[];
  /** Limits of the verdict, e.g. parts of the state that were not compared. */
  readonly notes: readonly string[];
  readonly coverage: Coverage;
  /** Fault plans per second; undefined if none was tried. */
  readonly runsPerSecond: number | undefined;
  /** Wall time of the verification, in milliseconds. */
  readonly duration: number;
}

/** A result of a check before causes are known. */
export interface Judged extends Omit<CheckResult, 'cause'> {
  readonly finding?: Finding;
}

/** Returns the result of a check that may have found a failure, without its duration. */
export function judgedBy(name: string, subject: string, finding?: Finding): Omit<Judged, 'duration'> {
  if (finding === undefined) return { name, subject, status: 'passed' };
  return { name, subject, status: finding.status, reason: finding.reason, finding };
}

/** Returns the result of a check that did not run. */
export function notRun(name: string, subject: string, reason: string): Judged {
  return { name, subject, status: 'not-run', reason, duration: 0 };
}

/** Returns the result of a check that the budget cut. */
export function cut(name: string): Judged {
  return { ...notRun(name, 'service', 'The budget ended first.'), isCut: true };
}

export interface ReportOptions {
  readonly accepted?: readonly Acceptance[];
  /** Whether warnings, unused acceptances and checks that the budget cut fail. Default false. */
  readonly strict?: boolean;
  /** Whether messages of errors are printed. Default true. */
  readonly messages?: boolean;
  /** Day of the verification, e.g. `2027-01-31`. */
  readonly today: string;
}

/** Returns the report of these results: groups findings into causes, and applies acceptances. */
export function reportOf(
  judged: readonly Judged[],
  about: Pick<ContractReport, 'seed' | 'notes' | 'coverage' | 'runsPerSecond' | 'duration'>,
  { accepted = [], strict = false, messages = true, today }: ReportOptions,
): ContractReport {
  const found = judged.flatMap(({ finding }) => finding ?? []);
  const results = judged.map(({ finding, ...result }) => ({
    ...result,
    ...(finding && { finding: explainedBy(found, finding) }),
  }));
  const findings = results.flatMap(({ finding }) => finding ?? []);
  const causes = causesOf(findings).map((cause) => {
    const acceptance = accepted.find((each) => isAccepted(cause, each, today));
    const shown = messages ? cause : { ...cause, shown: withoutMessage(cause.shown) };
    if (acceptance === undefined || cause.status === 'warned') return shown;
    return { ...shown, status: 'accepted' as const, accepted: acceptance };
  });
  const statusOf = new Map(causes.map(({ id, status }) => [id, status]));
  const checks = results.map(({ finding, ...result }): CheckResult => {
    if (finding === undefined) return result;
    const cause = causeId(finding);
    const isAcceptedCause = statusOf.get(cause) === 'accepted';
    return { ...result, status: isAcceptedCause ? 'accepted' : result.status, cause };
  });
  const ran = new Set(
    results.filter(({ status }) => status !== 'not-run' && status !== 'suspected').map(({ name }) => name),
  );
  const unused = unusedAcceptances(accepted, causes, ran);
  const all: readonly CheckResult[] = [...checks, ...(strict ? unused : [])];
  return {
    passed:
      all.every(({ status }) => status !== 'failed' && status !== 'suspected') &&
      !(strict && all.some(({ isCut }) => isCut)),
    ...about,
    causes,
    checks: all,
    notes: [...about.notes, ...unused.map(({ reason }) => reason)],
  };
}

/** Leaves out messages of errors, and the lines of a service, which quote them. */
function withoutMessage({ error, output: _output, ...finding }: Finding): Finding {
  if (error === undefined) return finding;
  const { message: _message, ...rest } = error;
  return { ...finding, error: rest };
}

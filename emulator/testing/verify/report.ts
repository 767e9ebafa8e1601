/** The status of a check for one event or scenario. */
export type CheckStatus = 'passed' | 'warned' | 'failed' | 'not-run';

/** The result of a check for one event or scenario. */
export interface CheckResult {
  /** Name of the check, e.g. `duplicates`. */
  readonly name: string;
  /** Catalogue name of an event, or a scenario with its branches. */
  readonly subject: string;
  readonly status: CheckStatus;
  /** Reason for a status other than `passed`. Names, pointers and rules, never payload or state values. */
  readonly reason?: string;
  /** The fewest deliveries that reproduce the failure. */
  readonly repro?: Repro;
}

/** A recording of deliveries that make a check fail. */
export interface Repro {
  /** File name, e.g. `repro-5f0c2d8e9a41.ndjson`. */
  readonly file: string;
  /** Content for the file. */
  readonly content: string;
  /** A line for each delivery: its event and faults. */
  readonly deliveries: readonly string[];
}

/** The events, branches and fields that a verification covered. */
export interface Coverage {
  /** Catalogue names of the events that the consumer handles. */
  readonly handled: readonly string[];
  /** Handled events that occurred in a scenario. The others were only checked with samples. */
  readonly exercised: readonly string[];
  /** Branch outcomes of the played scenarios, e.g. `house-move account=new`. */
  readonly branches: { readonly taken: readonly string[]; readonly missed: readonly string[] };
  /** Number of optional fields of handled events, and of those seen present and absent. */
  readonly optionalFields: { readonly total: number; readonly present: number; readonly absent: number };
}

/** The report of {@link verifyConsumer}. */
export interface ContractReport {
  /** Whether no check failed. */
  readonly passed: boolean;
  readonly seed: number;
  readonly checks: readonly CheckResult[];
  readonly coverage: Coverage;
  /** Fault plans per second; undefined if none was tried. */
  readonly runsPerSecond: number | undefined;
  /** Wall time of the verification, in milliseconds. */
  readonly duration: number;
}

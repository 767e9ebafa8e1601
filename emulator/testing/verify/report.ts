export type CheckStatus = 'passed' | 'warned' | 'failed' | 'not-run';

/** What a check has found out about one thing. */
export interface CheckResult {
  /** Of the check: `duplicates`. */
  readonly name: string;
  /** Catalogue name of an event, or a scenario with its branches. */
  readonly subject: string;
  readonly status: CheckStatus;
  /** Why it is not `passed`. Names, places and rules, never what a payload or a state says. */
  readonly reason?: string;
  /** The fewest deliveries that show it. */
  readonly repro?: Repro;
}

/** A recording of deliveries that make a check fail. */
export interface Repro {
  /** `repro-5f0c2d8e9a41.ndjson` */
  readonly file: string;
  /** What belongs in it. */
  readonly content: string;
  /** One line for each delivery: what it is, and what goes wrong with it. */
  readonly deliveries: readonly string[];
}

export interface Coverage {
  /** Catalogue names of the events that the consumer handles. */
  readonly handled: readonly string[];
  /** Those that occurred in a scenario; the others were only checked by samples. */
  readonly exercised: readonly string[];
  /** Outcomes of branches in the scenarios that were played, `house-move account=new`. */
  readonly branches: { readonly taken: readonly string[]; readonly missed: readonly string[] };
  /** Optional fields of handled events, and how many of them were seen present, and absent. */
  readonly optionalFields: { readonly total: number; readonly present: number; readonly absent: number };
}

/** What {@link verifyConsumer} has found out. Reporters are functions of it. */
export interface ContractReport {
  /** False when a check failed. */
  readonly passed: boolean;
  readonly seed: number;
  readonly checks: readonly CheckResult[];
  readonly coverage: Coverage;
  /** Fault plans that were tried a second; undefined where none was. */
  readonly runsPerSecond: number | undefined;
  /** In milliseconds of the wall clock. */
  readonly duration: number;
}

import type { PlanOptions } from '../../run/plan.js';
import type { Delivery } from '../verify/delivery.js';
import type { CheckStatus } from '../verify/report.js';
import type { Subject } from '../verify/subject.js';

/** One thing that a consumer must be able to do. */
export interface Check {
  readonly name: string;
  /** `duplicates change nothing`: what it says of a consumer that passes. */
  readonly title: string;
  /** Whether it compares states; then it is not run where they cannot be compared. */
  readonly comparesStates?: boolean;
  /** Looks at everything that there is to look at. */
  run(subject: Subject): AsyncIterable<Finding> | Iterable<Finding>;
  /**
   * What is wrong when exactly these are delivered to a fresh consumer; undefined where nothing is. A failure is shrunk
   * and replayed by it.
   */
  readonly wrongWith?: (subject: Subject, exhibit: Exhibit) => Promise<string | undefined>;
  /** The most questions while a failure is shrunk. Default 150. */
  readonly mostQuestions?: number;
}

/** Deliveries and the world that they come from. */
export interface Exhibit {
  readonly plan: PlanOptions;
  readonly deliveries: readonly Delivery[];
  /** Whether it takes all of them: a part of a course has no truth of its own to be held against. Default false. */
  readonly isIndivisible?: boolean;
}

export interface Finding {
  /** Catalogue name of an event, or name of a course. */
  readonly subject: string;
  readonly status: CheckStatus;
  readonly reason?: string;
  /** What shows it, where it can be shrunk and kept. */
  readonly exhibit?: Exhibit;
}

/** `passed`, or `failed` for that reason. */
export function found(subject: string, reason: string | undefined, exhibit?: Exhibit): Finding {
  if (reason === undefined) return { subject, status: 'passed' };
  return { subject, status: 'failed', reason, ...(exhibit && { exhibit }) };
}

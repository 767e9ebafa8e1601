import type { PlanOptions } from '../../run/plan.js';
import type { Delivery } from '../verify/delivery.js';
import type { Exercise, ExerciseOptions } from '../verify/exercise.js';
import type { CheckStatus } from '../verify/report.js';
import type { Subject } from '../verify/subject.js';

/** A requirement for consumers, and its test. */
export interface Check {
  readonly name: string;
  /** Statement about a consumer that passes, e.g. `duplicates change nothing`. */
  readonly title: string;
  /** Whether the check compares states. It does not run if states are not comparable. */
  readonly comparesStates?: boolean;
  /** Returns a finding for each event or scenario. */
  run(subject: Subject): AsyncIterable<Finding> | Iterable<Finding>;
  /**
   * Delivers exactly these events to a fresh consumer and returns the failure, or undefined. Used to shrink and replay
   * a failure.
   */
  readonly wrongWith?: (subject: Subject, exhibit: Exhibit) => Promise<string | undefined>;
  /** Most deliveries of a sequence while a failure is shrunk. Default 150. */
  readonly maxQuestions?: number;
}

/** Deliveries that show a failure, and their world. */
export interface Exhibit {
  readonly plan: PlanOptions;
  readonly deliveries: readonly Delivery[];
  /** Whether all deliveries are needed: a part of a sequence has no ground truth to compare with. Default false. */
  readonly isIndivisible?: boolean;
}

export interface Finding {
  /** Catalogue name of an event, or name of an event sequence. */
  readonly subject: string;
  readonly status: CheckStatus;
  readonly reason?: string;
  /** Deliveries that show the failure, if it can be shrunk and saved. */
  readonly exhibit?: Exhibit;
}

/** Returns a check of the samples of each event. */
export function checkOfSamples(
  { name, title }: Pick<Check, 'name' | 'title'>,
  judge: (done: Exercise) => string | undefined,
  options: ExerciseOptions = {},
): Check {
  return {
    name,
    title,
    async *run(subject) {
      for (const event of subject.handled) {
        const exhibit = { plan: { seed: subject.seed }, deliveries: subject.samplesOf(event) };
        yield found(event.name, judge(await subject.ofSamples(event)), exhibit);
      }
    },
    wrongWith: async (subject, { plan, deliveries }) =>
      judge(await subject.exercise(deliveries, { plan, ...options })),
  };
}

/** Returns a finding: `passed`, or `failed` with the reason. */
export function found(subject: string, reason: string | undefined, exhibit?: Exhibit): Finding {
  if (reason === undefined) return { subject, status: 'passed' };
  return { subject, status: 'failed', reason, ...(exhibit && { exhibit }) };
}

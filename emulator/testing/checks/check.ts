import type { Problem } from '../verify/causes.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Exercise, ExerciseOptions } from '../verify/exercise.js';
import { firstWrong } from '../verify/shrink.js';
import type { Subject } from '../verify/subject.js';
import type { OverTheWire } from '../service/experiment.js';

/** A requirement for consumers, and its tests: in this process, and on a service in processes of its own. */
export interface Check extends Partial<InProcess> {
  readonly name: string;
  /** Statement about a consumer that passes, e.g. `duplicates change nothing`. */
  readonly title: string;
  readonly overTheWire?: OverTheWire;
}

/** The test of a requirement on a consumer in this process. */
export interface InProcess {
  /** Whether the check compares states. It does not run if states are not comparable. */
  readonly comparesStates?: boolean;
  /** Returns a verdict for each event or scenario. */
  run(subject: Subject): AsyncIterable<Verdict> | Iterable<Verdict>;
  /**
   * Delivers exactly these events to a fresh consumer and returns the problem, or undefined. Used to shrink, confirm
   * and replay a failure.
   */
  readonly wrongWith?: (subject: Subject, counterexample: PlayedEvents) => Promise<Problem | undefined>;
  /** Most deliveries of a sequence while a failure is shrunk. Default 150. */
  readonly maxQuestions?: number;
}

/** The judgement of a check about one event or scenario, before a failure is confirmed. */
export interface Verdict {
  /** Catalogue name of an event, or name of an event sequence. */
  readonly subject: string;
  readonly problem?: Problem;
  /** Why nothing was judged. */
  readonly notRun?: string;
  /** Whether the problem is only a warning. Default false. */
  readonly isWarning?: boolean;
  readonly counterexample?: PlayedEvents;
  /** Whether all of them are needed: a part of a sequence has no ground truth to compare with. Default false. */
  readonly isIndivisible?: boolean;
}

/** Returns a check of the samples of each event. */
export function checkOfSamples(
  { name, title }: Pick<Check, 'name' | 'title'>,
  judge: (done: Exercise, about: string) => Problem | undefined,
  options: Pick<ExerciseOptions, 'linger' | 'comparesPayloads'> = {},
): Check {
  return {
    name,
    title,
    async *run(subject) {
      for (const event of subject.handled) {
        const problem = judge(await subject.ofSamples(event), event.name);
        yield found(event.name, problem, await subject.samplesOf(event));
      }
    },
    wrongWith: async (subject, counterexample) => {
      const about = counterexample.deliveries.at(-1)?.sent.name ?? '';
      return judge(await subject.exercise(counterexample, options), about);
    },
  };
}

/** Candidates for the counterexample of one event or scenario. The first that shows a problem is the verdict. */
export interface Tries {
  readonly subject: string;
  readonly candidates: Iterable<PlayedEvents>;
}

/** Returns the test of a check that judges deliveries by themselves. */
export function trying(
  triesOf: (subject: Subject) => AsyncIterable<Tries> | Iterable<Tries>,
  wrongWith: NonNullable<InProcess['wrongWith']>,
): Pick<InProcess, 'run' | 'wrongWith'> {
  return {
    wrongWith,
    async *run(subject) {
      for await (const { subject: about, candidates } of triesOf(subject)) {
        const wrong = await firstWrong(candidates, (each) => wrongWith(subject, each));
        yield found(about, wrong?.problem, wrong?.candidate);
      }
    },
  };
}

/** Returns a verdict: the problem with its deliveries, or none. */
export function found(subject: string, problem: Problem | undefined, counterexample?: PlayedEvents): Verdict {
  if (problem === undefined) return { subject };
  return { subject, problem, ...(counterexample && { counterexample }) };
}

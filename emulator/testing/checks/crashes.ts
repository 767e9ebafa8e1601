import {
  type CheckInput,
  type Experiment,
  interleaved,
  later,
  marked,
  perEvent,
  target,
  type WorkPoint,
} from '../service/experiment.js';
import { differences } from '../differences.js';
import type { DiagnosisName, Problem } from '../verify/causes.js';
import { type Delivery, withoutFaults } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/** Restarts the consumer while handlers run. What was not settled is redelivered; memory is lost. */
export const crashesCheck: Check = {
  name: 'crashes',
  title: 'a restart in the middle loses nothing',
  comparesStates: true,
  ...trying(async function* (subject) {
    for (const { name, plan, deliveries } of await subject.stories())
      yield { subject: name, candidates: [{ plan, deliveries: deliveries.map(interrupted) }] };
  }, wrong),
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'waves',
        experiments: perEvent(
          input,
          Array.from(
            { length: Math.ceil(killsAtCommit / input.world.exercised.length) },
            () => commits,
          ).flat(),
          ({ deliveries, index, delivery }, kill) => ({
            label: `killed ${kill}`,
            deliveries: deliveries.with(index, marked(delivery, target)),
            fault: { kill },
          }),
        ),
      },
      {
        sharing: 'alone',
        experiments: [atWork(input, 'SIGKILL'), atWork(input, 'SIGTERM'), withRecordsInHand(input)],
      },
    ],
  },
};

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const done = await subject.exercise(counterexample);
  const when = 'When the consumer restarts while a handler runs';
  const fault: Fault = { when, diagnosis: 'diverged', failing: 'handler-fails' };
  const problem = await differenceFromBaseline(subject, counterexample, fault, done);
  if (problem?.diagnosis !== 'diverged' || counterexample.deliveries.length > maxCounterfactuals)
    return problem;
  const meaning = await meaningOf(subject, counterexample, done.state);
  const isForgotten = meaning === undefined && (await isForgetful(subject, counterexample));
  return { ...problem, diagnosis: meaning ?? (isForgotten ? 'forgets-at-restart' : 'diverged') };
}

/** Whether the same restarts change the state when no handler runs: what they empty was needed. */
export async function isForgetful(subject: Subject, { plan, deliveries }: PlayedEvents): Promise<boolean> {
  const calm = deliveries.map(({ sent, origin }, index) => {
    const isAfter = deliveries[index - 1]?.faults.includes('restart') === true;
    return { sent, origin, faults: isAfter ? [later] : [] };
  });
  const fault: Fault = { when: 'After a restart', diagnosis: 'forgets-at-restart' };
  return (await differenceFromBaseline(subject, { plan, deliveries: calm }, fault)) !== undefined;
}

/** Most deliveries for which the meaning of a state is searched: shrunk ones. */
const maxCounterfactuals = 5;

/** Compares the wrong state with those without one of the events, and with one of them twice. */
async function meaningOf(
  subject: Subject,
  { plan, deliveries }: PlayedEvents,
  state: unknown,
): Promise<DiagnosisName | undefined> {
  const events = withoutFaults(deliveries);
  const isLike = async (others: readonly Delivery[]) =>
    differences((await subject.exercise({ plan, deliveries: others })).state, state).length === 0;
  for (const [index, each] of events.entries()) {
    if (await isLike(events.toSpliced(index, 1))) return 'committed-before-work';
    if (await isLike(events.toSpliced(index, 0, each))) return 'not-idempotent';
  }
  return undefined;
}

/** Restarts at some deliveries only: a restart at each would never leave two handlers running. */
function interrupted(delivery: Delivery, index: number): Delivery {
  return index % 2 === 0 ? { ...delivery, faults: ['restart'] } : delivery;
}

const commits = ['before its commit', 'after its commit'] as const;
/** Kills per point of a commit. */
const killsAtCommit = 4;
const killsInHand = 3;
const killsAtWork = { SIGKILL: 8, SIGTERM: 3 } as const;
/** Records whose steps a kill may come after. */
const recordsPerKill = 2;
/** Most commits that pass before the next kill with records in hand. */
const maxSkipped = 4;

/** All households at once, and signals spread over the time that they take. */
function atWork(input: CheckInput, signal: 'SIGKILL' | 'SIGTERM'): Experiment {
  const { world, random, totalMs, commitMs, steps } = input;
  const length = killsAtWork[signal];
  const at = Array.from({ length }, (_, nth): WorkPoint => {
    // A step of the work that takes an eighth of it is met once.
    const share = (nth + random.next()) / length;
    // Writes are close together: a kill by time would rarely come between two of them.
    const after =
      signal === 'SIGKILL' && steps >= 1
        ? { afterSteps: Math.ceil(share * steps * recordsPerKill) }
        : { afterMs: share * (commitMs ?? totalMs / length) };
    return commitMs === undefined ? after : { commit: random.integer(1, maxSkipped), ...after };
  });
  // Records that the service skips would take most of the time.
  const deliveries = world.deliveries.filter(({ sent }) => world.handles(sent.name));
  const label = `${signal} at work`;
  return { label, about: label, deliveries, fault: { atWork: { signal, at } } };
}

/** A service may commit by a timer, while it has a batch of records in hand. */
function withRecordsInHand(input: CheckInput): Experiment {
  const label = 'SIGKILL after a commit with records left, while the REST API is slow';
  // The first commit of a service that hands its records to others may be the last, too.
  const skips = [0, ...Array.from({ length: killsInHand }, () => input.random.integer(0, maxSkipped))];
  return {
    label,
    about: label,
    deliveries: interleaved(input.world.deliveries),
    fault: { killAfterCommits: skips },
  };
}

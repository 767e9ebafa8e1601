import { marked, perEvent, unanswered } from '../service/experiment.js';
import { quoted } from 'busbar/base';
import { differences } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import { InjectedError } from '../verify/failure-points.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/**
 * Finds handlers that lose an event when a dependency fails. At the first attempt, each field that a handler reads and
 * each call of `failurePoint` throws, one at a time. The consumer must reach the usual state, by a retry.
 */
export const dependenciesCheck: Check = {
  name: 'dependencies',
  title: 'an error within a handler does not count as success',
  comparesStates: true,
  ...trying(async function* (subject) {
    const stories = await subject.stories();
    for (const { name } of subject.handled) {
      const story = stories.find(({ deliveries }) => deliveries.some(({ sent }) => sent.name === name));
      yield { subject: name, candidates: story === undefined ? [] : await failuresIn(subject, name, story) };
    }
  }, lossIn),
  overTheWire: {
    whyNot: ({ proxies = {} }) =>
      Object.keys(proxies).length === 0 ? 'The contract has no "proxies".' : undefined,
    parts: (input) => {
      const { contract, steps } = input;
      const proxies = Object.keys(contract.proxies ?? {});
      const count = Math.min(maxResponses, Math.max(1, Math.ceil(steps)));
      const responses = proxies.flatMap((proxy) =>
        Array.from({ length: count }, (_, index) => ({ proxy, nth: index + 1 })),
      );
      const losses = perEvent(input, responses, ({ deliveries, index, delivery }, response) => ({
        label: `when response ${response.nth} of ${response.proxy} is lost`,
        deliveries: deliveries.with(index, marked(delivery, unanswered)),
        fault: { response },
      }));
      const faults = (['cut', 'slow'] as const).flatMap((does) => proxies.map((name) => ({ name, does })));
      const experiments = perEvent(input, faults, ({ deliveries }, proxy) => ({
        label: `while ${proxy.name} is ${proxy.does}`,
        deliveries,
        fault: { proxy },
      }));
      const ifLost = 'swallows-errors';
      return [losses, experiments].map((each) => ({ sharing: 'waves', ifLost, experiments: each }));
    },
  },
};

/** Most responses of each dependency that are lost, for each event. */
const maxResponses = 5;

/** Returns the deliveries with an error at each failure point of the event's first handling. */
async function failuresIn(subject: Subject, name: string, story: PlayedEvents): Promise<PlayedEvents[]> {
  const { plan, deliveries } = story;
  const index = deliveries.findIndex(({ sent }) => sent.name === name);
  const target = deliveries[index] as Delivery;
  const points = new Set<string>();
  const observer = subject.failures.listen(
    ({ id }) => id === target.sent.id,
    (point) => void points.add(point),
  );
  await subject.exercise(story, { observer });
  return [...points].map((point) => {
    const faults = [`${errorAt}${point}`];
    return { plan, deliveries: deliveries.with(index, { ...target, faults }) };
  });
}

const errorAt = 'error at ';

async function lossIn(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const { plan, deliveries } = counterexample;
  const target = deliveries.find(({ faults: [fault = ''] }) => fault.startsWith(errorAt));
  if (target === undefined) return undefined;
  const { sent, faults } = target;
  const point = faults[0]?.slice(errorAt.length) ?? '';
  let thrown = 0;
  const later = new Set<boolean>();
  const observer = subject.failures.listen(
    ({ id }, { attempt }) => id === sent.id && attempt === 1,
    (each, canFailThere) => {
      if (each !== point) return;
      thrown++;
      later.add(canFailThere);
      throw new InjectedError(`The verification fails the handler at ${point}.`);
    },
  );
  const done = await subject.exercise(counterexample, { observer });
  const outcome = done.outcomes.find(({ id }) => id === sent.id);
  if (thrown === 0 || outcome?.outcome !== 'handled') return undefined;
  const isRetried = outcome.attempts > 1;
  // Code that only reads a payload cannot fail before it has waited for anything.
  if (isRetried && !later.has(true)) return undefined;
  const where = `an error at ${point} of ${quoted(sent.name)}`;
  const isFloating = done.strayErrors.length > 0;
  const fault: Fault = {
    when: isRetried ? `After ${where} and a retry` : `After ${where}, which counts as success`,
    diagnosis: isFloating ? 'work-floats' : 'swallows-errors',
  };
  const problem = await differenceFromBaseline(subject, counterexample, fault, done);
  if (problem === undefined) return undefined;
  const about = { ...problem, about: sent.name };
  if (!isRetried) return about;
  const others = deliveries.filter((each) => each.faults.length === 0);
  const without = await subject.exercise({ plan, deliveries: others });
  // The state is that without the event: a mark was set, but the effect is missing.
  if (differences(without.state, done.state).length === 0)
    return { ...about, diagnosis: 'seen-before-effect' };
  // Any other state has parts of the failed attempt.
  return point.startsWith('failurePoint') ? { ...about, diagnosis: 'not-idempotent' } : undefined;
}

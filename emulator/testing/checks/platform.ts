import { marked, perEvent } from '../service/experiment.js';
import type { RunObserver } from 'busbar';
import { usesPlaceholder } from '../service/placeholders.js';
import type { Problem } from '../verify/causes.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/** An outage of the REST API must not lose events. */
export const platformCheck: Check = {
  name: 'platform',
  title: 'requests that the REST API fails are retried',
  comparesStates: true,
  ...trying(async function* (subject) {
    for (const { name, plan, deliveries } of subject.mainSequences) {
      const counterexample = { plan, deliveries: deliveries.map((each) => marked(each, outage)) };
      const { requests } = await subject.baseline(counterexample);
      if (requests > 0) yield { subject: name, candidates: [counterexample] };
    }
  }, lossIn),
  overTheWire: {
    whyNot: (contract) =>
      usesPlaceholder(contract, ['restUrl']) ? undefined : 'The contract does not use {restUrl}.',
    parts: (input) => [
      {
        sharing: 'waves',
        diagnosis: 'ignores-outage',
        ifStalled: 'stalled',
        experiments: perEvent(input, [...faults, ...faults], ({ deliveries }, rest) => ({
          label: `while the REST API is out of order (${rest})`,
          deliveries,
          fault: { rest },
        })),
      },
    ],
  },
};

/** Fault: the API is down during the first attempt. */
const outage = 'REST API answers 503';

async function lossIn(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const hit = counterexample.deliveries.filter(({ faults }) => faults.includes(outage));
  const ids = new Set(hit.map(({ sent }) => sent.id));
  const observer: RunObserver = {
    around({ id = '' }, { attempt }, run) {
      subject.parts.rest.fault = attempt === 1 && ids.has(id) ? 503 : undefined;
      return run();
    },
  };
  const done = await subject.exercise(counterexample, { observer });
  // A dead-lettered event isn't lost: a consumer may be configured without retries.
  if (done.outcomes.some(({ outcome }) => outcome === 'dead-lettered')) return undefined;
  const when = 'While the REST API responds with 503 to first attempts';
  const fault: Fault = { when, diagnosis: 'ignores-outage' };
  return differenceFromBaseline(subject, counterexample, fault, done);
}

const faults = [503, 429, 'cut', 'slow'] as const;

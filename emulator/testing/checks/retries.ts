import type { RunObserver } from 'busbar';
import type { Problem } from '../verify/causes.js';
import type { Exercise } from '../verify/exercise.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import { InjectedError } from '../verify/failure-points.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';

/** Requires a failing handler to be retried as configured, and its event then to be dead-lettered. */
export const retriesCheck: Check = {
  name: 'retries',
  title: 'an event whose handler fails is retried or dead-lettered, and never lost',
  ...trying(function* (subject) {
    for (const event of subject.handled) {
      const deliveries = [{ ...subject.fullSampleOf(event, 0), faults: [handlerFails] }];
      yield { subject: event.name, candidates: [{ plan: { seed: subject.seed }, deliveries }] };
    }
  }, wrong),
};

const handlerFails = 'handler fails';

/** Failures before the handler succeeds: a consumer may be configured to retry for ever. */
const maxFailures = 60;

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const { deliveries } = counterexample;
  const failing = deliveries.filter(({ faults }) => faults.includes(handlerFails));
  const ids = new Set(failing.map(({ sent }) => sent.id));
  const observer: RunObserver = {
    around({ id = '' }, { attempt }, run) {
      if (!ids.has(id) || attempt > maxFailures) return run();
      throw new InjectedError('The verification lets this handler fail.');
    },
  };
  const done = await subject.exercise(counterexample, { observer });
  const reason = failing.length === 0 ? undefined : lossIn(done, deliveries.length);
  if (reason === undefined) return undefined;
  return { diagnosis: 'loses-failed-events', about: deliveries[0]?.sent.name ?? '', reason };
}

function lossIn({ outcomes, deadLetters, failure }: Exercise, sent: number): string | undefined {
  // A policy that stops the consumer keeps the event for the next start.
  if (failure !== undefined) return undefined;
  const aside = outcomes.filter(({ outcome }) => outcome === 'dead-lettered');
  const handled = outcomes.filter(({ outcome }) => outcome === 'handled');
  if (handled.some(({ attempts }) => attempts <= maxFailures)) {
    return 'The failing handler counts as successful: a middleware swallows the error.';
  }
  if (aside.length === deadLetters.length && aside.length + handled.length === sent) return undefined;
  return 'After its handler has failed, the event is neither handled nor among the dead letters.';
}

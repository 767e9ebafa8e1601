import type { RunObserver } from '../../../src/running/observer.js';
import type { Exercise } from '../verify/exercise.js';
import { type Check, found } from './check.js';

/** A handler that fails is tried again, as often as the consumer is configured to, and then its event is set aside. */
export const retriesCheck: Check = {
  name: 'retries',
  title: 'what a handler fails at is tried again or set aside, and never lost',
  async *run(subject) {
    for (const event of subject.handled) {
      const deliveries = subject.knownSamplesOf(event).filter(({ kind }) => kind === 'full');
      const done = await subject.exercise(deliveries, { observer: failing(mostFailures) });
      yield found(event.name, lossIn(done, deliveries.length));
    }
  },
};

/** A consumer may be configured to try for ever; here it is let succeed in the end. */
const mostFailures = 60;

/** Fails in place of the handler, for so many attempts. */
function failing(attempts: number): RunObserver {
  return {
    around: (_event, { attempt }, run) => {
      if (attempt <= attempts) throw new InjectedFailure();
      return run();
    },
  };
}

class InjectedFailure extends Error {
  override name = 'InjectedFailure';
  constructor() {
    super('The verification lets this handler fail.');
  }
}

function lossIn({ outcomes, deadLetters, failure }: Exercise, sent: number): string | undefined {
  // A consumer that is told to stop keeps the event for the next start.
  if (failure !== undefined) return undefined;
  const aside = outcomes.filter(({ outcome }) => outcome === 'dead-lettered');
  const handled = outcomes.filter(({ outcome }) => outcome === 'handled');
  if (handled.some(({ attempts }) => attempts <= mostFailures)) {
    return 'Its failing handler counts as one that did its work: something in between swallows the error.';
  }
  if (aside.length === deadLetters.length && aside.length + handled.length === sent) return undefined;
  return 'After its handler has failed, the event is neither handled nor among the dead letters.';
}

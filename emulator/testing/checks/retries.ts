import type { RunObserver } from '../../../src/running/observer.js';
import type { Exercise } from '../verify/exercise.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';

/** A handler that fails is tried again, as often as the consumer is configured to, and then its event is set aside. */
export const retriesCheck: Check = {
  name: 'retries',
  title: 'what a handler fails at is tried again or set aside, and never lost',
  async *run(subject) {
    for (const event of subject.handled) {
      const full = subject.knownSamplesOf(event).filter(({ kind }) => kind === 'full');
      const deliveries = full.map(({ sent, origin }) => ({ sent, origin, faults: [handlerFails] }));
      const exhibit = { plan: { seed: subject.seed }, deliveries };
      yield found(event.name, await wrong(subject, exhibit), exhibit);
    }
  },
  wrongWith: wrong,
};

const handlerFails = 'handler fails';

/** A consumer may be configured to try for ever; here it is let succeed in the end. */
const mostFailures = 60;

async function wrong(subject: Subject, { plan, deliveries }: Exhibit): Promise<string | undefined> {
  return lossIn(await subject.exercise(deliveries, { plan, observer: failing }), deliveries.length);
}

/** Fails in place of the handler. */
const failing: RunObserver = {
  around: (_event, { attempt }, run) => {
    if (attempt <= mostFailures) throw new InjectedFailure();
    return run();
  },
};

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

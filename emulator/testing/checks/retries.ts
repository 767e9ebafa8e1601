import type { RunObserver } from 'busbar';
import type { Exercise } from '../verify/exercise.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';

/** Requires a failing handler to be retried as configured, and its event then to be dead-lettered. */
export const retriesCheck: Check = {
  name: 'retries',
  title: 'an event whose handler fails is retried or dead-lettered, and never lost',
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

/** Failures before the handler succeeds: a consumer may be configured to retry for ever. */
const maxFailures = 60;

async function wrong(subject: Subject, { plan, deliveries }: Exhibit): Promise<string | undefined> {
  return lossIn(await subject.exercise(deliveries, { plan, observer: failing }), deliveries.length);
}

/** Throws instead of calling the handler. */
const failing: RunObserver = {
  around: (_event, { attempt }, run) => {
    if (attempt <= maxFailures) throw new InjectedFailure();
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

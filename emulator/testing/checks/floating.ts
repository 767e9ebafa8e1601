import { differences } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Counterexample, found } from './check.js';
import { listed, placeOf } from './judge.js';

/** Requires work to end before its handler does: a stop of the process would lose it. */
export const floatingCheck: Check = {
  name: 'floating',
  title: 'no work continues after its event is settled',
  comparesStates: true,
  async *run(subject) {
    for (const event of subject.handled) {
      const counterexample = await endingWith(subject, event.name);
      yield found(event.name, await wrong(subject, counterexample), counterexample);
    }
  },
  wrongWith: wrong,
};

/** Returns a story up to the event: work after the last event is the easiest to see. */
async function endingWith(subject: Subject, name: string): Promise<Counterexample> {
  for (const { plan, deliveries } of await subject.stories()) {
    const end = deliveries.findIndex(({ sent }) => sent.name === name);
    if (end !== -1) return { plan, deliveries: deliveries.slice(0, end + 1) };
  }
  return { plan: { seed: subject.seed }, deliveries: [] };
}

async function wrong(subject: Subject, { plan, deliveries }: Counterexample): Promise<Problem | undefined> {
  const { state, lateState } = await subject.exercise(deliveries, { plan, linger: true });
  const pointers = differences(state, lateState);
  if (pointers.length === 0) return undefined;
  const reason = `The handler is done, but the state changes later at ${listed(pointers)}. A stop would lose that.`;
  const event = deliveries.at(-1)?.sent.name ?? '';
  return { diagnosis: 'work-floats', reason, ...placeOf(pointers, event), about: event };
}

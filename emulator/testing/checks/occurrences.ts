import { type Experiment, marked, version } from '../service/experiment.js';
import { quoted } from 'busbar/base';
import { listed } from '../differences.js';
import type { Problem } from '../verify/causes.js';
import { type Delivery, isEventLog, occurrenceOf } from '../verify/delivery.js';
import { countedTwice } from '../verify/diagnose.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import { tablesIn } from '../verify/states.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { placeOf } from '../verify/judge.js';

/**
 * One change in the world comes in several versions. Both together must not count as two: sums and rows are compared
 * with those of each version alone. Versions may fill different fields.
 */
export const occurrencesCheck: Check = {
  name: 'occurrences',
  title: 'an occurrence in two versions counts once',
  comparesStates: true,
  ...trying(function* (subject) {
    const seen = new Set<string>();
    for (const { plan, deliveries } of subject.mainSequences) {
      for (const pair of pairsIn(deliveries, subject.handledOf(deliveries))) {
        if (seen.has(pair.name)) continue;
        seen.add(pair.name);
        yield { subject: pair.name, candidates: [{ plan, deliveries: pair.deliveries }] };
      }
    }
  }, wrong),
  overTheWire: {
    parts: ({ world }) => {
      const experiments = new Map<string, Experiment>();
      for (const deliveries of world.households.values()) {
        const handled = deliveries.filter(({ sent }) => world.handles(sent.name));
        for (const { name: about, ...pair } of pairsIn(deliveries, handled))
          experiments.set(about, { label: 'as one occurrence', about, ...pair, wrongIf: 'counted twice' });
      }
      return [
        { sharing: 'alone', diagnosis: 'counts-versions-twice', experiments: [...experiments.values()] },
      ];
    },
  },
};

/** Returns the deliveries once for each pair of handled versions of an occurrence, with the mark {@link version}. */
function* pairsIn(deliveries: readonly Delivery[], handled: readonly Delivery[]) {
  const first = new Map<string, Delivery>();
  for (const each of handled) {
    const occurrence = occurrenceOf(each);
    const other = first.get(occurrence);
    if (other === undefined) first.set(occurrence, each);
    else if (other.sent.name !== each.sent.name) {
      const isVersion = (delivery: Delivery) => delivery === each || delivery === other;
      yield {
        name: `${other.sent.name} and ${each.sent.name}`,
        deliveries: deliveries.map((one) => (isVersion(one) ? marked(one, version) : one)),
      };
    }
  }
}

async function wrong(subject: Subject, { plan, deliveries }: PlayedEvents): Promise<Problem | undefined> {
  const [one, other] = deliveries.filter(({ faults }) => faults.includes(version));
  if (one === undefined || other === undefined) return undefined;
  const stateWithout = async (...left: readonly Delivery[]) => {
    const rest = deliveries.filter((each) => !left.includes(each));
    return tablesIn((await subject.exercise({ plan, deliveries: rest })).state);
  };
  const states = {
    neither: await stateWithout(one, other),
    one: await stateWithout(other),
    other: await stateWithout(one),
    both: await stateWithout(),
  };
  const handled = subject.handledOf(deliveries);
  const pointers = countedTwice(states, (rows) => isEventLog(rows, [one, other], handled));
  if (pointers.length === 0) return undefined;
  const about = one.sent.name.replace(/-v[^-]*$/, '');
  const names = [one, other].map(({ sent }) => quoted(sent.name)).join(' and ');
  const reason = `${names} are one occurrence, but the state counts two at ${listed(pointers)}.`;
  return { diagnosis: 'counts-versions-twice', reason, ...placeOf(pointers, about), about };
}

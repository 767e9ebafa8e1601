import { quoted } from '../../../src/quoted.js';
import { type Variation, variations } from '../../run/vary/variations.js';
import { varyPayload } from '../../run/vary/vary-payload.js';
import { type Delivery, withPayload } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, type Finding, found } from './check.js';
import { disagreement } from './judge.js';
import { sameInstants } from './same-instants.js';

/** What the specification leaves open, the platform may answer in another way than the emulator does. */
export const varyCheck: Check = {
  name: 'vary',
  title: 'other legal answers to what the specification leaves open are survived',
  async *run(subject) {
    const { seed } = subject;
    for (const event of subject.handled) {
      yield await verdict(subject, event.name, {
        plan: { seed },
        deliveries: subject.knownSamplesOf(event),
      });
    }
    for (const { name, plan, deliveries } of subject.mainCourses) {
      yield await verdict(subject, name, { plan, deliveries });
    }
  },
  wrongWith: wrong,
};

/** Draws of each invention: another seed writes a field in another way. */
const draws = 6;

const ofPayloads = variations.filter((variation) => variation !== 'keys' && variation !== 'order');

async function verdict(subject: Subject, name: string, { plan, deliveries }: Exhibit): Promise<Finding> {
  for (let seed = 1; seed <= draws; seed++) {
    for (const variation of ofPayloads) {
      const varied = deliveries.map((each) => variedly(subject, each, variation, seed));
      // Most payloads have nothing that a variation would tell in another way.
      if (varied.every((each, index) => each === deliveries[index])) continue;
      const exhibit = { plan, deliveries: varied };
      const reason = await wrong(subject, exhibit);
      if (reason !== undefined) return found(name, reason, exhibit);
    }
  }
  return found(name, undefined);
}

/**
 * What is stored as it came is stored in the other way too: states have to agree where only times were told otherwise,
 * as instants.
 */
async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const kinds = new Set(exhibit.deliveries.flatMap(({ faults }) => faults));
  const onlyTimes = [...kinds].every((kind) => kind === labelOf('times'));
  const reason = await disagreement(subject, exhibit, {}, onlyTimes ? sameInstants : () => undefined);
  if (reason === undefined) return undefined;
  const inventions = ofPayloads.filter((variation) => kinds.has(labelOf(variation))).map(quoted);
  return `It leans on how the emulator tells ${inventions.join(', ')}: told otherwise, ${reason}`;
}

function variedly(subject: Subject, delivery: Delivery, variation: Variation, seed: number): Delivery {
  const { sent, origin } = delivery;
  const options = { seed, variations: new Set([variation]), documents: subject.documents };
  const other = withPayload(sent, (payload) => varyPayload(sent.name, payload, options));
  if (other.bytes.equals(sent.bytes)) return delivery;
  return { sent: other, origin, faults: [labelOf(variation)] };
}

function labelOf(variation: Variation): string {
  return `vary ${variation}`;
}

import { envelopeHeaders } from 'busbar';
import { quoted } from 'busbar/base';
import { type Variation, variations } from '../../run/vary/variations.js';
import { varyPayload } from '../../run/vary/vary-payload.js';
import { type Delivery, withPayload } from '../verify/delivery.js';
import type { Course } from '../verify/course.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, type Finding, found } from './check.js';
import { disagreement } from './judge.js';
import { sameInstants } from './same-instants.js';

/** Requires consumers to work with other legal readings of the specification. */
export const varyCheck: Check = {
  name: 'vary',
  title: 'other legal readings of the specification change nothing',
  async *run(subject) {
    const { seed } = subject;
    for (const event of subject.handled) {
      yield await verdict(subject, event.name, {
        plan: { seed },
        deliveries: subject.knownSamplesOf(event),
      });
    }
    for (const course of subject.mainCourses) {
      const { name, plan, deliveries } = course;
      yield await verdict(subject, name, { plan, deliveries });
      for (const variation of ofStreams) yield await streamVerdict(subject, course, variation);
    }
  },
  wrongWith: wrong,
};

/** Seeds per variation: each writes a field in another way. */
const draws = 6;

const ofStreams = ['keys', 'order'] as const satisfies readonly Variation[];
const ofPayloads = variations.filter((variation) => !(ofStreams as readonly Variation[]).includes(variation));

async function verdict(subject: Subject, name: string, { plan, deliveries }: Exhibit): Promise<Finding> {
  for (let seed = 1; seed <= draws; seed++) {
    for (const variation of ofPayloads) {
      const varied = deliveries.map((each) => variedly(subject, each, variation, seed));
      // Most payloads have no field that a variation changes.
      if (varied.every((each, index) => each === deliveries[index])) continue;
      const exhibit = { plan, deliveries: varied };
      const reason = await wrong(subject, exhibit);
      if (reason !== undefined) return found(name, reason, exhibit);
    }
  }
  return found(name, undefined);
}

/** Delivers with other partition keys, or the versions of an occurrence in reverse: the state must be the same. */
async function streamVerdict(
  subject: Subject,
  course: Course,
  variation: 'keys' | 'order',
): Promise<Finding> {
  const { plan } = course;
  const varied = variation === 'keys' ? await subject.withOtherKeys(course) : reordered(course.deliveries);
  const deliveries = varied.map((each) => ({ ...each, faults: [labelOf(variation)] }));
  const isSame = deliveries.every(({ sent, origin }, nth) => sent.key === origin?.key && nth === origin.nth);
  const exhibit = { plan, deliveries };
  return found(`${course.name} (${variation})`, isSame ? undefined : await wrong(subject, exhibit), exhibit);
}

function reordered(deliveries: readonly Delivery[]): Delivery[] {
  const groups: Delivery[][] = [];
  for (const each of deliveries) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && occurrenceOf(last[0]) === occurrenceOf(each)) last.unshift(each);
    else groups.push([each]);
  }
  return groups.flat();
}

function occurrenceOf({ sent }: Delivery): string | undefined {
  return sent.headers[envelopeHeaders.occurrence];
}

/**
 * Returns the failure with a variation. A state may store values as received, so states are compared with their times
 * as instants.
 */
async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const kinds = new Set(exhibit.deliveries.flatMap(({ faults }) => faults));
  const isOf = (...some: readonly Variation[]) =>
    [...kinds].every((kind) => some.map(labelOf).includes(kind));
  const alike = isOf(...ofStreams) ? undefined : isOf('times') ? sameInstants : () => undefined;
  const inventions = variations.filter((variation) => kinds.has(labelOf(variation))).map(quoted);
  if (inventions.length === 0) return undefined;
  const when = `It relies on one legal reading of ${inventions.join(', ')}: with another`;
  return disagreement(subject, exhibit, when, alike);
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

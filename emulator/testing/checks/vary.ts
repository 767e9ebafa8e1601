import { envelopeHeaders } from '../../../src/envelope/busbar.js';
import { quoted } from '../../../src/base/quoted.js';
import { type Variation, variations } from '../../run/vary/variations.js';
import { varyPayload } from '../../run/vary/vary-payload.js';
import { type Delivery, withPayload } from '../verify/delivery.js';
import type { Course } from '../verify/course.js';
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
    for (const course of subject.mainCourses) {
      const { name, plan, deliveries } = course;
      yield await verdict(subject, name, { plan, deliveries });
      for (const variation of ofStreams) yield await streamVerdict(subject, course, variation);
    }
  },
  wrongWith: wrong,
};

/** Draws of each invention: another seed writes a field in another way. */
const draws = 6;

const ofStreams = ['keys', 'order'] as const satisfies readonly Variation[];
const ofPayloads = variations.filter((variation) => !(ofStreams as readonly Variation[]).includes(variation));

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

/** Other partition keys, or the versions of an occurrence the other way round: what is stored has to be the same. */
async function streamVerdict(
  subject: Subject,
  course: Course,
  variation: 'keys' | 'order',
): Promise<Finding> {
  const { plan } = course;
  const told = variation === 'keys' ? await subject.withOtherKeys(course) : reordered(course.deliveries);
  const deliveries = told.map((each) => ({ ...each, faults: [labelOf(variation)] }));
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
 * What is stored as it came is stored in the other way too: states have to agree where only times were told otherwise,
 * as instants.
 */
async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const kinds = new Set(exhibit.deliveries.flatMap(({ faults }) => faults));
  const isOf = (...told: readonly Variation[]) =>
    [...kinds].every((kind) => told.map(labelOf).includes(kind));
  const alike = isOf(...ofStreams) ? undefined : isOf('times') ? sameInstants : () => undefined;
  const inventions = variations.filter((variation) => kinds.has(labelOf(variation))).map(quoted);
  if (inventions.length === 0) return undefined;
  const reason = await disagreement(subject, exhibit, {}, alike);
  if (reason === undefined) return undefined;
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

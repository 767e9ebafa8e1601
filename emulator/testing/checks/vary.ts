import { perEvent } from '../service/experiment.js';
import { memoized, quoted } from 'busbar/base';
import type { Documents } from 'busbar/catalogue';
import { type Variation, variations } from '../../run/vary/variations.js';
import { maxWays, varyPayload } from '../../run/vary/vary-payload.js';
import type { Problem } from '../verify/causes.js';
import {
  changesIn,
  type Delivery,
  occurrenceOf,
  payloadOf,
  type Sent,
  withEnvelope,
} from '../verify/delivery.js';
import type { EventSequence, PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline } from '../verify/judge.js';
import { sameInstants } from '../verify/same-instants.js';

/** Requires consumers to work with other legal readings of the specification. */
export const varyCheck: Check = {
  name: 'vary',
  title: 'other legal readings of the specification change nothing',
  ...trying(async function* (subject) {
    for (const event of subject.handled) {
      const household = await subject.fullHouseholdOf(event);
      yield {
        subject: event.name,
        candidates: variedPayloads(subject, household, household.deliveries.slice(-1)),
      };
    }
    for (const sequence of subject.mainSequences) {
      const { name, plan, deliveries } = sequence;
      yield { subject: name, candidates: variedPayloads(subject, { plan, deliveries }) };
      for (const variation of ofStreams) {
        const varied = await variedStream(subject, sequence, variation);
        yield { subject: `${name} (${variation})`, candidates: varied === undefined ? [] : [varied] };
      }
    }
  }, wrong),
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'together',
        diagnosis: 'one-reading',
        ifStalled: 'one-reading',
        experiments: perEvent(
          input,
          turns.flatMap((turn) => ofPayloads.map((variation) => ({ variation, turn }))),
          ({ deliveries, index, delivery }, { variation, turn }) => {
            const varied = variedly(input.world.documents, delivery, variation, turn);
            if (varied === delivery) return undefined;
            const label = `in another legal form of ${quoted(variation)}${changesIn([varied])}`;
            return { label, deliveries: deliveries.with(index, varied), wrongIf: 'without effect' };
          },
        ),
      },
    ],
  },
};

/** In one of them, a field takes each of its forms. */
const turns = Array.from({ length: maxWays }, (_, turn) => turn);

const ofStreams = ['keys', 'order'] as const satisfies readonly Variation[];
const ofPayloads = variations.filter((variation) => !(ofStreams as readonly Variation[]).includes(variation));

/** Returns the deliveries with some of their payloads in other forms: each field takes every form once. */
function* variedPayloads(
  { documents }: Subject,
  { plan, deliveries }: PlayedEvents,
  some: readonly Delivery[] = deliveries,
): Generator<PlayedEvents> {
  // Most variations change nothing: a payload is parsed once for all of them.
  const contents = memoized(contentOf);
  for (const variation of ofPayloads) {
    const forms = new Map<string, readonly Delivery[]>();
    for (const turn of turns) {
      const varied = deliveries.map((each) =>
        some.includes(each) ? variedly(documents, each, variation, turn, contents(each.sent)) : each,
      );
      const form = varied.map((each, nth) => (each === deliveries[nth] ? '' : each.sent.bytes.toString()));
      forms.set(form.join('\n'), varied);
    }
    // Most payloads have no field that a variation changes.
    forms.delete(deliveries.map(() => '').join('\n'));
    for (const varied of forms.values()) yield { plan, deliveries: varied };
  }
}

/** Delivers with other partition keys, or the versions of an occurrence in reverse: the state must be the same. */
async function variedStream(
  subject: Subject,
  sequence: EventSequence,
  variation: 'keys' | 'order',
): Promise<PlayedEvents | undefined> {
  const varied =
    variation === 'keys' ? await subject.withOtherKeys(sequence) : reordered(sequence.deliveries);
  const deliveries = varied.map((each) => ({ ...each, faults: [labelOf(variation)] }));
  const isSame = deliveries.every(({ sent, origin }, nth) => sent.key === origin?.key && nth === origin.nth);
  return isSame ? undefined : { plan: sequence.plan, deliveries };
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

/**
 * Returns the failure with a variation. A state may store values as received, so states are compared with their times
 * as instants.
 */
async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const kinds = new Set(counterexample.deliveries.flatMap(({ faults }) => faults));
  const isOf = (...some: readonly Variation[]) =>
    [...kinds].every((kind) => some.map(labelOf).includes(kind));
  const alike = isOf(...ofStreams) ? undefined : isOf('times') ? sameInstants : () => undefined;
  const inventions = variations.filter((variation) => kinds.has(labelOf(variation))).map(quoted);
  if (inventions.length === 0) return undefined;
  const when = `With another legal reading of ${inventions.join(', ')}${changesIn(counterexample.deliveries)}`;
  const diagnosis = isOf('order') ? 'order-within-occurrence' : 'one-reading';
  return differenceFromBaseline(subject, counterexample, { when, diagnosis, alike });
}

/** Returns the delivery with another legal reading of its payload; the same delivery if there is none. */
function variedly(
  documents: Documents,
  delivery: Delivery,
  variation: Variation,
  turn: number,
  { payload, text } = contentOf(delivery.sent),
): Delivery {
  const { sent, origin } = delivery;
  const varied = varyPayload(sent.name, payload, {
    seed: 1,
    turn,
    variations: new Set([variation]),
    documents,
  });
  if (JSON.stringify(varied) === text) return delivery;
  return { sent: withEnvelope(sent, () => ({ payload: varied })), origin, faults: [labelOf(variation)] };
}

/** Returns the payload, and its JSON. */
function contentOf(sent: Sent) {
  const payload = payloadOf(sent);
  return { payload, text: JSON.stringify(payload) };
}

function labelOf(variation: Variation): string {
  return `vary ${variation}`;
}

import { envelopeHeaders } from 'busbar';
import { asUnknownEvent, type Delivery, type Sent, withEnvelope } from '../verify/delivery.js';
import { chooser } from '../service/experiment.js';
import { BusbarError, quoted } from 'busbar/base';
import type { Problem } from '../verify/causes.js';
import type { EventSequence, PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { firstFailure } from '../verify/judge.js';

/** Damaged or lost events cannot be handled. The consumer must continue, report them, and handle other keys. */
export const poisonCheck: Check = {
  name: 'poison',
  title: 'damaged events are reported, and disturb neither the run nor other keys',
  ...trying(async function* (subject) {
    for (const sequence of subject.mainSequences)
      yield { subject: sequence.name, candidates: [await besideDamaged(subject, sequence)] };
  }, wrong),
  overTheWire: {
    parts: (input) => {
      const choose = chooser(input);
      const experiments = Object.entries(damages).flatMap(([damage, damagedBy]) => {
        const chosen = choose();
        if (chosen === undefined) return [];
        const { deliveries, index, delivery } = chosen;
        const label = `behind ${damage}`;
        const broken = damaged(delivery, damage, damagedBy);
        const about = delivery.sent.name;
        return [{ label, about, deliveries: deliveries.toSpliced(index, 0, broken), isDamage: true }];
      });
      return [{ sharing: 'together', ifStalled: 'stalled', experiments }];
    },
  },
};

const faults = 'drop=10%,corrupt=40%,invalid=40%';

/** Plays two households, with faults in the first only. */
async function besideDamaged(subject: Subject, { name, plan }: EventSequence): Promise<PlayedEvents> {
  const pair = { ...plan, instances: 2 };
  const baseline = await subject.play(name, pair);
  const hit = await subject.withFaults(baseline, faults);
  const first = baseline.deliveries[0]?.sent.cell;
  const deliveries = [
    ...hit.filter(({ sent }) => sent.cell === first),
    ...baseline.deliveries.filter(({ sent }) => sent.cell !== first),
  ];
  return { plan: pair, deliveries: deliveries.sort((one, other) => one.sent.at - other.sent.at) };
}

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const { deliveries } = counterexample;
  const baseline = await subject.baseline(counterexample);
  if (baseline.failure !== undefined) return undefined;
  const done = await subject.exercise(counterexample);
  const broken = deliveries.filter((each) => each.faults.length > 0);
  const brokenIds = new Set(broken.map(({ sent }) => sent.id));
  // A supervisor starts the consumer again, behind the record that it dead-lettered before it stopped.
  if (done.failure !== undefined && done.outcomes.at(-1)?.outcome === 'dead-lettered') return undefined;
  if (done.failure !== undefined) {
    const problem = firstFailure(done);
    const reason = `At a damaged event, ${problem?.reason ?? ''}`;
    return problem && { ...problem, reason, ...(isPolicy(done.failure) && { diagnosis: 'stalled' }) };
  }
  const taken = done.outcomes.find(({ id = '', outcome }) => brokenIds.has(id) && outcome === 'handled');
  if (taken !== undefined) {
    const about = `${taken.type ?? '?'}-${taken.version ?? '?'}`;
    const reason = `A damaged ${quoted(about)} counts as handled, so the damage goes unreported.`;
    return { diagnosis: 'hides-damage', about, reason };
  }
  const hit = new Set(broken.map(({ sent }) => sent.cell));
  const cellOf = new Map(deliveries.map(({ sent }) => [sent.id, sent.cell]));
  const fine = new Set(baseline.outcomes.flatMap(({ id, outcome }) => (outcome === 'handled' ? [id] : [])));
  const problem = firstFailure(done, (id) => fine.has(id) && !hit.has(cellOf.get(id) ?? -1));
  if (problem === undefined) return undefined;
  const reason = `While another household has damaged events, ${problem.reason}`;
  return { ...problem, reason, diagnosis: 'damage-spreads' };
}

/** Whether a policy of the consumer stops it at a record that it cannot read. */
function isPolicy(failure: Error): boolean {
  const codes = ['undecodable-record', 'invalid-event', 'unknown-record'];
  return failure instanceof BusbarError && codes.includes(failure.code);
}

/** Records that no service can handle, made of an event. */
const damages: Readonly<Record<string, (sent: Sent) => Sent>> = {
  'broken bytes': (sent) => ({ ...sent, bytes: sent.bytes.subarray(0, sent.bytes.length / 2) }),
  'an empty payload': (sent) => withEnvelope(sent, () => ({ payload: {} })),
  'an unknown event': (sent) => asUnknownEvent(sent),
  'a record without a value': (sent) => ({ ...sent, bytes: Buffer.alloc(0) }),
};

/** Returns the damaged record of another occurrence: the event itself comes as well, and in its other versions. */
function damaged({ sent }: Delivery, label: string, damage: (sent: Sent) => Sent): Delivery {
  const id = sent.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const bytes = Buffer.from(sent.bytes.toString().replaceAll(sent.id, id));
  const own = Object.entries(sent.headers).map(
    ([name, value]) => [name, value.replaceAll(sent.id, id)] as const,
  );
  const headers = { ...Object.fromEntries(own), [envelopeHeaders.occurrence]: id };
  return { sent: damage({ ...sent, id, headers, bytes }), faults: [label], origin: undefined };
}

import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { OutgoingEvent } from '../../run/outgoing-event.js';
import type { PlanOptions } from '../../run/plan.js';
import { prepareRun } from '../../run/prepare-run.js';
import type { Source } from '../../run/source.js';
import { type Delivery, type Sent, untouched } from './delivery.js';

/** Deliveries, and the plan of the world that they are about. */
export interface PlayedEvents {
  readonly plan: PlanOptions;
  /** In the order of sending. */
  readonly deliveries: readonly Delivery[];
}

/** The deliveries of one scenario. */
export interface EventSequence extends PlayedEvents {
  /** Scenario and branch outcome, e.g. `house-move account=new`. */
  readonly name: string;
  /** Outcomes of branches, e.g. `house-move account=new`. */
  readonly branches: readonly string[];
}

/** Most events of a sequence, so that an endless scenario ends. No built-in scenario sends as many. */
const maxEvents = 20_000;

/**
 * Plays a plan without faults.
 * @throws BusbarError as `prepareRun`
 */
export async function playSequence(
  name: string,
  plan: PlanOptions,
  catalogue: Catalogue,
): Promise<EventSequence> {
  const { source } = await prepareRun(plan, catalogue);
  const emissions = await emissionsOf(name, source);
  const deliveries = emissions.map((emission, nth) => untouched(sentBy(emission, nth)));
  return { name, plan, branches: [...source.branches.keys()], deliveries };
}

/** Returns the deliveries of a sequence with faults, in the syntax of `--faults`. @throws BusbarError as `prepareRun` */
export async function withFaults(
  { name, plan, deliveries }: EventSequence,
  faults: string,
  catalogue: Catalogue,
): Promise<Delivery[]> {
  const origins = new Map(deliveries.map(({ sent }) => [sent.id, sent]));
  const { source } = await prepareRun({ ...plan, faults }, catalogue);
  return (await emissionsOf(name, source)).map((emission) => {
    const origin = origins.get(emission.envelope.id);
    if (origin !== undefined && emission.faults.length === 0) return untouched(origin);
    const sent = sentBy(emission, origin?.nth ?? 0);
    // A service may store payloads as they come: only the same payload leads to the same state.
    const isSame = origin !== undefined && emission.faults.includes('extra-field');
    return { sent, faults: emission.faults, origin: isSame ? { ...origin, bytes: sent.bytes } : origin };
  });
}

async function emissionsOf(name: string, source: Source): Promise<readonly OutgoingEvent[]> {
  const emissions: OutgoingEvent[] = [];
  try {
    for (;;) {
      const pulled = await source.next();
      if (pulled === undefined || 'idleUntil' in pulled) return emissions;
      emissions.push(...pulled.emissions);
      if (emissions.length > maxEvents) {
        const message = `Scenario ${quoted(name)} sends more than ${maxEvents} events for one household. Choose others in "scenarios".`;
        throw new BusbarError('capacity-exceeded', message);
      }
    }
  } finally {
    await source.close();
  }
}

function sentBy({ envelope, key, cell, headers, bytes, at, sentAt = at }: OutgoingEvent, nth: number): Sent {
  const name = `${envelope.event_type}-${envelope.version}`;
  return { nth, name, id: envelope.id, at: sentAt, key, cell, headers, bytes };
}

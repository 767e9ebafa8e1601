import type { Catalogue } from '../../../catalogue/index.js';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { beginRun } from '../../run/begin.js';
import type { Emission } from '../../run/emission.js';
import type { PlanOptions } from '../../run/plan.js';
import type { Delivery, Sent } from './delivery.js';

/** A scenario from its first event to its last. */
export interface Course {
  /** `house-move account=new` */
  readonly name: string;
  readonly plan: PlanOptions;
  /** In the order in which they are sent. */
  readonly deliveries: readonly Delivery[];
  /** Outcomes of branches that were taken, `house-move account=new`. */
  readonly branches: readonly string[];
}

/** More than any scenario sends for one household: one that never ends must not hang the verification. */
const mostEvents = 20_000;

/**
 * Plays what a plan says, faults included.
 * @throws BusbarError as `beginRun`
 */
export async function playCourse(name: string, plan: PlanOptions, catalogue: Catalogue): Promise<Course> {
  const { faults, ...calm } = plan;
  const { emissions, branches } = await emissionsOf(name, calm, catalogue);
  const origins = new Map(
    emissions.map((emission, nth) => [emission.envelope.id, sentBy(emission, nth)] as const),
  );
  const sent = faults === undefined ? emissions : (await emissionsOf(name, plan, catalogue)).emissions;
  return {
    name,
    plan,
    branches,
    deliveries: sent.map((emission) => {
      const origin = origins.get(emission.envelope.id);
      const isUntouched = origin !== undefined && emission.faults.length === 0;
      return {
        sent: isUntouched ? origin : sentBy(emission, origin?.nth ?? 0),
        faults: emission.faults,
        origin,
      };
    }),
  };
}

async function emissionsOf(name: string, plan: PlanOptions, catalogue: Catalogue) {
  const { source } = await beginRun(plan, catalogue);
  const emissions: Emission[] = [];
  try {
    for (;;) {
      const pulled = await source.next();
      if (pulled === undefined || 'idleUntil' in pulled) break;
      emissions.push(...pulled.emissions);
      if (emissions.length > mostEvents) {
        const message = `Scenario ${quoted(name)} sends more than ${mostEvents} events for one household. Choose others in "scenarios".`;
        throw new BusbarError('capacity-exceeded', message);
      }
    }
  } finally {
    await source.close();
  }
  return { emissions, branches: [...source.branches.keys()] };
}

function sentBy({ envelope, key, cell, headers, bytes, at, sentAt = at }: Emission, nth: number): Sent {
  const name = `${envelope.event_type}-${envelope.version}`;
  return { nth, name, id: envelope.id, at: sentAt, key, cell, headers, bytes };
}

import { after, type ScenarioContext, type Steps, until } from '../../engine/scenario.js';
import { hour, type Instant, minute } from '../../engine/time.js';
import type { Cell } from '../../world/cell.js';
import { type ChargingSession, disconnect, idleCar, optimise, plugIn } from '../../world/flex/flex.js';
import { customerOf } from '../../world/customer/customer.js';
import { readyTimes } from '../../world/flex/words.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  end: { charged: 0.82, 'unplugged-early': 0.1, 'connection-lost': 0.08 },
  /** Number of new plans, unless nothing is left to plan. */
  replanned: { never: 0.45, once: 0.3, twice: 0.15, 'three-times': 0.1 },
} as const;

export const flexDay = defineScenario({
  name: 'flex-day',
  title: 'A car is charged overnight when energy is cheap',
  description:
    'A customer comes home and plugs the car in. The platform plans to charge it in the cheapest half hours before the ' +
    'customer wants to drive, and plans again as prices change. In the morning the car is unplugged, full as wished; ' +
    'now and then it is unplugged early, or cannot be reached any more.',
  setting: 'driver',
  rate: 700,
  starts: 'evening',
  branches,
  *run(context) {
    const { cell, random } = context;
    const customer = customerOf(cell);
    const car = customer && idleCar(cell, customer);
    if (car === undefined) return;

    const session = plugIn(cell, car, { random, ...nextDrive(context) });
    const planned = optimise(cell, session, { isFirst: true, random });
    if (planned === undefined) throw new Error('a car with a night ahead of it has nothing to charge');
    yield* emit(planned);

    const early = endsEarly(context);
    yield* replan(context, session, early ?? session.ready - hour);
    const lastCharge = session.plan.at(-1)?.end ?? session.ready;
    yield* until(early ?? Math.max(lastCharge, session.ready + random.integer(-hour, 3 * hour)));
    yield* after({ seconds: 1 }, { minutes: 3 });
    // Devices without access have no events.
    if (car.isAuthenticated) yield* emit(disconnect(cell, session, causeOf(context)));
  },
});

type FlexDay = ScenarioContext<Cell, typeof branches>;

/** Returns the time by which the car must be ready: tomorrow, at a time of the customer's choice. */
function nextDrive({ cell, calendar, random }: FlexDay) {
  const readyTime = random.weighted(readyTimes);
  const [hours = 0, minutes = 0] = readyTime.split(':').map(Number);
  const tomorrow = cell.today + 1;
  const ready = calendar.instantOf(tomorrow, hours * hour + minutes * minute);
  return { ready, readyTime, midnight: calendar.instantOf(tomorrow) };
}

/** Returns the time of an early end, or undefined. */
function endsEarly({ branch, random, now }: FlexDay): Instant | undefined {
  if (branch.end === 'charged') return undefined;
  const least = branch.end === 'unplugged-early' ? 30 * minute : 10 * minute;
  const most = branch.end === 'unplugged-early' ? 5 * hour : 6 * hour;
  return now + Math.round(random.spread(least, most));
}

/** Publishes new plans until the session ends or the target is reached. */
function* replan(context: FlexDay, session: ChargingSession, end: Instant): Steps {
  const { branch, random } = context;
  const times = { never: 0, once: 1, twice: 2, 'three-times': 3 }[branch.replanned];
  for (let count = 0; count < times; count++) {
    const at = context.now + Math.round(random.spread(20 * minute, 5 * hour));
    if (at >= end) return;
    yield* until(at);
    if (!session.device.isAuthenticated) return;
    const planned = optimise(context.cell, session, { isFirst: false, random });
    if (planned === undefined) return;
    yield* emit(planned);
  }
}

function causeOf({ branch, random }: FlexDay): string {
  if (branch.end === 'connection-lost') return 'COMMUNICATION_ERROR';
  if (branch.end === 'charged') return 'UNPLUGGED';
  return random.weighted(causes);
}

const causes = { UNPLUGGED: 0.92, CUSTOMER_ACTION: 0.06, UNKNOWN: 0.02 };

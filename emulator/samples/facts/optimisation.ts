import { london } from '../../engine/calendar.js';
import { hour, type Instant, minute } from '../../engine/time.js';
import {
  cappedSocs,
  chargingEfficiency,
  chargingPower,
  type DeviceType,
  deviceTypes,
  energyCapacities,
  readyTimes,
  targetSocs,
} from '../../world/vocabulary/flex.js';
import type { Subject } from '../subject.js';

export interface Dispatch {
  readonly begin: Instant;
  readonly end: Instant;
  /** Watts from the grid. */
  readonly power: number;
}

/** A plan for one night of charging. States of charge are in percent, the capacity in watt-hours. */
export interface Optimisation {
  readonly begin: Instant;
  readonly end: Instant;
  readonly ready: string;
  readonly dispatches: readonly Dispatch[];
  readonly capacity: number;
  readonly start: number;
  readonly target: number;
  readonly capped: number;
  readonly achievable: number;
}

/** From when the car was plugged in to when it is to be ready: up to four windows on the edges of half-hours. */
export function optimisation(subject: Subject): Optimisation {
  return subject.once('optimisation', (random) => {
    const capacity = Number(random.weighted(energyCapacities));
    const power = Number(random.weighted(chargingPower));
    const start = random.integer(12, 60);
    const target = Number(random.weighted(targetSocs));
    const capped = random.chance(0.2) ? Math.min(target, Number(random.weighted(cappedSocs))) : target;
    const ready = random.weighted(readyTimes);
    const begin = Math.floor(subject.at / halfHour) * halfHour;
    const end = nextTime(subject, ready);

    const energyNeeded = ((capped - start) / 100) * capacity;
    const halfHours = Math.ceil(energyNeeded / (power * 0.5 * chargingEfficiency));
    const free = (end - begin) / halfHour - 1;
    const windows = Math.min(random.integer(1, 4), halfHours, Math.floor(free / 2));
    const dispatches: Dispatch[] = [];
    // An even share for each, with a pause of half an hour before the next.
    const length = Math.max(
      1,
      Math.min(Math.floor((free - windows) / windows), Math.ceil(halfHours / windows)),
    );
    let from = begin + halfHour * random.integer(1, 1 + free - windows * (length + 1));
    for (let place = 0; place < windows; place++) {
      dispatches.push({ begin: from, end: from + length * halfHour, power });
      from += (length + 1) * halfHour;
    }
    return {
      begin,
      end,
      ready,
      dispatches,
      capacity,
      start,
      target,
      capped,
      achievable: achievable({ capacity, start, target, dispatches }),
    };
  });
}

/** What the dispatches bring the battery to, in whole percent. */
export function achievable(plan: Pick<Optimisation, 'capacity' | 'start' | 'target' | 'dispatches'>): number {
  const energy = plan.dispatches.reduce(
    (sum, { begin, end, power }) => sum + (power * (end - begin)) / hour,
    0,
  );
  const gained = (energy * chargingEfficiency * 100) / plan.capacity;
  return Math.min(plan.target, Math.floor(plan.start + gained));
}

/** Only what has a battery charges and can be unplugged. */
export function deviceType(subject: Subject): DeviceType {
  const { ELECTRIC_VEHICLES, CHARGE_POINTS, BATTERIES } = deviceTypes;
  const charges = /optimisation|disconnected/.test(subject.eventType);
  return subject.once('device type', (random) =>
    random.weighted<DeviceType>(
      charges
        ? { ELECTRIC_VEHICLES, CHARGE_POINTS, BATTERIES, HEAT_PUMPS: 0, THERMOSTATS: 0, INVERTERS: 0 }
        : deviceTypes,
    ),
  );
}

const halfHour = 30 * minute;

/** When the clocks next show that time, at least three hours from now. */
function nextTime({ at, today }: Subject, time: string): Instant {
  const [hours = '0', minutes = '0'] = time.split(':');
  const timeOfDay = Number(hours) * hour + Number(minutes) * minute;
  const tomorrow = london.instantOf(today + 1, timeOfDay);
  return tomorrow - at < 3 * hour ? london.instantOf(today + 2, timeOfDay) : tomorrow;
}

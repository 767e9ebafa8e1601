import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, hour, type Instant } from '../../engine/time.js';
import { energyAt, type PlannedDispatch, planCharging, stateOfCharge } from '../charging-plan.js';
import { occurrence } from '../occurrence.js';
import { cappedSocs, targetSocs, targetTypes } from '../vocabulary/flex.js';
import { describeDevice, type FlexDevice } from './flex-devices.js';

/** A charging session of a car, from plugging in to unplugging. Key of its events: account number. */
export interface ChargingSession {
  readonly device: FlexDevice;
  /** The time by which the car must be ready. */
  readonly ready: Instant;
  /** The same as local time of day: `07:00`. */
  readonly readyTime: string;
  /** Local midnight of that day. Prices depend on the time since then. */
  readonly midnight: Instant;
  /** Percent. */
  readonly userTarget: number;
  /** Percent; at most the customer's target, less to protect the battery. */
  readonly cappedTarget: number;
  readonly targetType: string;
  /** Wh in the battery when the present plan began. */
  energy: number;
  plan: readonly PlannedDispatch[];
}

/** Starts a session with a car that is 20 to 70 percent full. */
export function plugIn(
  device: FlexDevice,
  drive: {
    readonly at: Instant;
    readonly ready: Instant;
    readonly readyTime: string;
    readonly midnight: Instant;
    readonly random: RandomStream;
  },
): ChargingSession {
  const { at, ready, readyTime, midnight, random } = drive;
  device.pluggedInAt = at;
  const userTarget = Number(random.weighted(targetSocs));
  const isCapped = device.canBeCapped && random.chance(0.1);
  const cap = isCapped ? Number(random.weighted(cappedSocs)) : userTarget;
  return {
    device,
    ready,
    readyTime,
    midnight,
    userTarget,
    cappedTarget: Math.min(userTarget, cap),
    targetType: random.weighted(targetTypes),
    energy: (random.integer(20, 70) * device.capacity) / 100,
    plan: [],
  };
}

/**
 * Plans the rest of the session from the present state of charge. Returns undefined if the target is reached or the time
 * is over.
 */
export function optimise(
  session: ChargingSession,
  planning: { readonly at: Instant; readonly isFirst: boolean; readonly random: RandomStream },
): Occurrence | undefined {
  const { device, ready, userTarget, cappedTarget } = session;
  const { at, isFirst, random } = planning;
  const energy = energyNow(session, at);
  const charging = { capacity: device.capacity, power: device.power, energy, target: cappedTarget };
  const plan = planCharging(charging, { from: at, to: ready }, priceOf(session, random));
  if (plan.length === 0) return undefined;
  session.energy = energy;
  session.plan = plan;
  const achievable = Math.min(cappedTarget, stateOfCharge(device.capacity, energyAt(charging, plan, ready)));
  return occurrence('flex_device.optimisation_created', device.account.number, {
    v1: {
      ...describeDevice(device),
      payload: {
        dispatches: plan.map(({ begin, end }) => ({
          begin: formatInstant(begin),
          end: formatInstant(end),
          power: device.power,
        })),
        achievable_target_soc: achievable,
        energy_capacity: device.capacity,
        start_soc: stateOfCharge(device.capacity, energy),
        user_target_soc: userTarget,
        optimization_begin: formatInstant(at),
        optimization_end: formatInstant(ready),
        is_reoptimization: !isFirst,
        force_v1g_charging: random.chance(0.03),
        fleet_id: device.fleet,
        target_type: session.targetType,
        capped_target_soc: cappedTarget,
        is_charge_duration_capped: cappedTarget < userTarget,
        can_cap_charging_duration: device.canBeCapped,
        dispatch_times: session.readyTime,
        will_reach_target_soc: achievable >= userTarget,
      },
    },
  });
}

/** Ends the session. */
export function disconnect(session: ChargingSession, cause: string, at: Instant): Occurrence {
  const { device } = session;
  device.pluggedInAt = undefined;
  return occurrence('flex_device.disconnected', device.account.number, {
    v1: {
      ...describeDevice(device),
      payload: { cause, disconnected_soc: stateOfCharge(device.capacity, energyNow(session, at)) },
    },
  });
}

function energyNow({ device, energy, cappedTarget, plan }: ChargingSession, at: Instant): number {
  const { capacity, power } = device;
  return energyAt({ capacity, power, energy, target: cappedTarget }, plan, at);
}

/** Returns prices that are lowest from midnight to 05:30 and highest before 20:00. */
function priceOf({ midnight }: ChargingSession, random: RandomStream): (at: Instant) => number {
  return (at) => {
    const hours = (at - midnight) / hour;
    const usual = hours < -4 ? 40 : hours >= 0 && hours < 5.5 ? 0 : 15;
    return usual + random.integer(0, 20);
  };
}

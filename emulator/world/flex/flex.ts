import { type RandomStream, randomStream } from '../../engine/random.js';
import { formatInstant, hour, type Instant, minute } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import type { Account, Cell, Property } from '../cell.js';
import { type Customer, homeOf } from '../customer/customer.js';
import { occurrence } from '../occurrence.js';
import {
  cappedSocs,
  chargingPower,
  deviceModels,
  type DeviceType,
  deviceTypes,
  energyCapacities,
  fleets,
  targetSocs,
  targetTypes,
} from './words.js';

/** A device whose consumption the platform controls. Key of its events: account number. */
interface FlexDevice {
  readonly id: string;
  readonly siteId: string;
  readonly type: DeviceType;
  readonly account: Account;
  readonly property: Property;
  // Whole numbers, which rule out rounding differences.
  /** Power of the charger, in W. */
  readonly power: number;
  /** Usable capacity of the battery, in Wh. */
  readonly capacity: number;
  readonly fleet: string;
  /** Whether the platform may cap the target state of charge. */
  readonly canBeCapped: boolean;
  /** Whether the platform has access. Devices without access have no events. */
  isAuthenticated: boolean;
  /** Start of the charging session; undefined while it is not plugged in. */
  pluggedInAt: Instant | undefined;
}

const devices = cellState<FlexDevice[]>(() => []);

/** Registers a device at the customer's home, or returns undefined if they have no home now. */
export function registerDevice(cell: Cell, { account }: Customer, random: RandomStream) {
  const home = homeOf(account);
  if (home === undefined) return undefined;
  const type = random.weighted(deviceTypes);
  const device = addDevice(cell, { account, property: home.property, type }, random);
  const registered = occurrence('flex_device.registered', account.number, {
    v1: { ...describeDevice(device), payload: { ...random.pick(deviceModels) } },
  });
  return { device, registered };
}

export function deauthenticateDevice(device: FlexDevice) {
  device.isAuthenticated = false;
  device.pluggedInAt = undefined;
  return occurrence('flex_device.deauthenticated', device.account.number, {
    v1: { ...describeDevice(device), payload: {} },
  });
}

/**
 * Returns a car at the customer's home that is not plugged in. A customer without a car gets one, registered before the
 * run. Returns undefined if all cars are plugged in, or if the customer has no home now.
 */
export function idleCar(cell: Cell, { account }: Customer): FlexDevice | undefined {
  const home = homeOf(account);
  if (home === undefined) return undefined;
  const { property } = home;
  const cars = devices
    .of(cell)
    .filter((device) => device.type === 'ELECTRIC_VEHICLES' && device.account === account)
    .filter((device) => device.property === property && device.isAuthenticated);
  if (cars.length > 0) return cars.find(({ pluggedInAt }) => pluggedInAt === undefined);
  const random = randomStream(cell.seed, account.number, 'car', devices.of(cell).length);
  return addDevice(cell, { account, property, type: 'ELECTRIC_VEHICLES' }, random);
}

function describeDevice({ account, property, id, siteId, type }: FlexDevice) {
  return {
    account_number: account.number,
    property_id: property.id,
    device_id: id,
    site_id: siteId,
    device_type: type,
  };
}

function addDevice(
  cell: Cell,
  { account, property, type }: Pick<FlexDevice, 'account' | 'property' | 'type'>,
  random: RandomStream,
): FlexDevice {
  const device: FlexDevice = {
    id: cell.ids.uuid('flex device'),
    siteId: cell.ids.uuid('flex site'),
    type,
    account,
    property,
    power: Number(random.weighted(chargingPower)),
    capacity: Number(random.weighted(energyCapacities)),
    fleet: random.pick(fleets),
    canBeCapped: random.chance(0.9),
    isAuthenticated: true,
    pluggedInAt: undefined,
  };
  devices.of(cell).push(device);
  return device;
}

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
  cell: Cell,
  device: FlexDevice,
  drive: {
    readonly ready: Instant;
    readonly readyTime: string;
    readonly midnight: Instant;
    readonly random: RandomStream;
  },
): ChargingSession {
  const { ready, readyTime, midnight, random } = drive;
  device.pluggedInAt = cell.now;
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
  { now: at }: Cell,
  session: ChargingSession,
  { isFirst, random }: { readonly isFirst: boolean; readonly random: RandomStream },
) {
  const { device, ready, userTarget, cappedTarget } = session;
  const energy = energyAt(session, at);
  const plan = planCharging({ ...session, energy }, at, priceOf(session, random));
  if (plan.length === 0) return undefined;
  session.energy = energy;
  session.plan = plan;
  const achievable = Math.min(cappedTarget, stateOfCharge(device.capacity, energyAt(session, ready)));
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

export function disconnect(cell: Cell, session: ChargingSession, cause: string) {
  const { device } = session;
  device.pluggedInAt = undefined;
  return occurrence('flex_device.disconnected', device.account.number, {
    v1: {
      ...describeDevice(device),
      payload: { cause, disconnected_soc: stateOfCharge(device.capacity, energyAt(session, cell.now)) },
    },
  });
}

/** Returns prices that are lowest from midnight to 05:30 and highest before 20:00. */
function priceOf({ midnight }: ChargingSession, random: RandomStream): (at: Instant) => number {
  return (at) => {
    const hours = (at - midnight) / hour;
    const usual = hours < -4 ? 40 : hours >= 0 && hours < 5.5 ? 0 : 15;
    return usual + random.integer(0, 20);
  };
}

/** A span of charging at full power. */
export interface PlannedDispatch {
  readonly begin: Instant;
  readonly end: Instant;
}

const halfHour = 30 * minute;

/**
 * Plans charging in the cheapest half hours from an instant until the target is reached, or up to the end of the session if
 * that is not enough. It compares prices in blocks of two hours, which keeps the spans few: four in fifteen hours.
 * @param price Returns the price of the block that begins at the instant.
 */
function planCharging(
  { device, ready, energy, cappedTarget }: ChargingSession,
  from: Instant,
  price: (at: Instant) => number,
): PlannedDispatch[] {
  const blocks: (PlannedDispatch & { readonly price: number })[] = [];
  const last = Math.floor(ready / halfHour) * halfHour;
  for (let begin = Math.ceil(from / halfHour) * halfHour; begin < last; begin += 2 * hour) {
    blocks.push({ begin, end: Math.min(begin + 2 * hour, last), price: price(begin) });
  }
  blocks.sort((a, b) => a.price - b.price || a.begin - b.begin);

  const wanted = Math.ceil((cappedTarget * device.capacity) / 100) - energy;
  let missing = Math.ceil(wanted / delivered(device.power, halfHour));
  const chosen: PlannedDispatch[] = [];
  for (const { begin, end } of blocks) {
    if (missing <= 0) break;
    const length = Math.min(missing * halfHour, end - begin);
    chosen.push({ begin, end: begin + length });
    missing -= length / halfHour;
  }
  return merge(chosen.sort((a, b) => a.begin - b.begin));
}

/** Returns the energy in the battery at that instant in Wh, at most the target, if it is charged by the plan. */
function energyAt({ device, energy, cappedTarget, plan }: ChargingSession, at: Instant): number {
  const charged = plan.reduce(
    (sum, { begin, end }) => sum + delivered(device.power, Math.max(0, Math.min(end, at) - begin)),
    energy,
  );
  const full = Math.ceil((cappedTarget * device.capacity) / 100);
  return Math.max(energy, Math.min(full, charged));
}

/** Returns the state of charge in percent of the capacity, rounded down. */
function stateOfCharge(capacity: number, energy: number): number {
  return Math.floor((energy * 100) / capacity);
}

/** Returns the Wh that reach the battery in `time` milliseconds at an efficiency of 92 %. */
function delivered(power: number, time: number): number {
  return Math.floor((power * time * 92) / (100 * hour));
}

function merge(sorted: readonly PlannedDispatch[]): PlannedDispatch[] {
  const merged: PlannedDispatch[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (last?.end === next.begin) merged[merged.length - 1] = { begin: last.begin, end: next.end };
    else merged.push(next);
  }
  return merged;
}

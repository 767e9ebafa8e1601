import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Instant } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import type { Account, Cell, Property } from '../cell.js';
import { type Customer, homeOf } from '../customer.js';
import { occurrence } from '../occurrence.js';
import {
  chargingPower,
  type DeviceType,
  deviceModels,
  deviceTypes,
  energyCapacities,
  fleets,
} from '../vocabulary/flex.js';

/** A device whose consumption the platform controls. Key of its events: account number. */
export interface FlexDevice {
  readonly id: string;
  readonly siteId: string;
  readonly type: DeviceType;
  readonly account: Account;
  readonly property: Property;
  /** W. */
  readonly power: number;
  /** Wh. */
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
export function registerDevice(
  cell: Cell,
  { account }: Customer,
  random: RandomStream,
): { device: FlexDevice; registered: Occurrence } | undefined {
  const home = homeOf(account);
  if (home === undefined) return undefined;
  const type = random.weighted(deviceTypes);
  const device = addDevice(cell, { account, property: home.property, type }, random);
  const registered = occurrence('flex_device.registered', account.number, {
    v1: { ...describeDevice(device), payload: { ...random.pick(deviceModels) } },
  });
  return { device, registered };
}

/** Ends the platform's access to the device. */
export function deauthenticateDevice(device: FlexDevice): Occurrence {
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

/** The common part of events about a device. */
export function describeDevice({ account, property, id, siteId, type }: FlexDevice) {
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

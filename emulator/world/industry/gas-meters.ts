import { randomStream } from '../../engine/random.js';
import { type Day, formatDay } from '../../engine/time.js';
import { addressOf } from '../customer/addresses.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { openEnd } from '../formats.js';
import { gasMeter, isSmart } from './meters.js';
import { occurrence } from '../occurrence.js';
import type { Supply } from '../supplies.js';
import { cohorts, fitterInstructions, meterLinkCodes, standardCorrectionFactor } from './meter-words.js';
import {
  type MeterAssetManager,
  meterAssetManagers,
  type OtherSupplier,
  ownSupplier,
} from './participants.js';

// Key of all these events: number of the account with the supply.

export type Cohort = keyof typeof cohorts;

/** Publishes the technical details of the meter, with its last reading on that day. */
export function receiveMeterDetails(cell: Cell, { account, property, supplyPoint }: Supply, lastReadOn: Day) {
  const meter = gasMeter(cell, supplyPoint);
  const address = addressOf(cell, property);
  const random = attributesOf(cell, supplyPoint, 'details');
  return occurrence('meterpoint.gas.cos_gain.mtd_received', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      building_name: address.buildingName,
      building_number: address.buildingNumber,
      dependent_street: address.dependentStreet,
      principle_street: address.street,
      dependent_locality: address.locality,
      post_town: address.town,
      county: address.county,
      meter_serial_number: meter.serial,
      meter_digits: meter.digits,
      meter_mechanism: meter.mechanism,
      meter_type: meter.type,
      meter_is_imperial: meter.imperial,
      meter_reading_factor: 1,
      meter_link_code: random.weighted(meterLinkCodes),
      owner: meter.owner.code,
      model: meter.model,
      manufacturer: meter.manufacturer,
      manufactured_year: meter.year,
      location: meter.location,
      location_description: meter.locationDescription,
      instructions: random.pick(fitterInstructions),
      status: meter.status,
      pulse_value: meter.pulseValue,
      correction_factor: standardCorrectionFactor,
      bypass_fitted: random.chance(0.001),
      collar_fitted: random.chance(0.03),
      last_inspection_on: formatDay(lastReadOn - random.integer(0, 700)),
      last_reading: meter.readingOn(lastReadOn),
      last_reading_on: formatDay(lastReadOn),
    },
  });
}

/** Publishes the known facts about the supply point again, for systems that missed them. */
export function backfill(cell: Cell, supply: Supply, lastReadOn: Day) {
  const { account, property, supplyPoint, from } = supply;
  const meter = gasMeter(cell, supplyPoint);
  const address = addressOf(cell, property);
  return occurrence('meterpoint.gas.backfill', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      supplier: ownSupplier.gas,
      supply_start_date: formatDay(from),
      sub_building_name: address.subBuildingName,
      building_name: address.buildingName,
      building_number: String(address.buildingNumber),
      dependent_street: address.dependentStreet,
      principal_street: address.street,
      double_dependent_locality: '',
      dependent_locality: address.locality,
      post_town: address.town,
      county: address.county,
      postcode: address.postcode,
      meter_serial_number: meter.serial,
      meter_digits: meter.digits,
      meter_mechanism: meter.mechanism,
      meter_is_imperial: meter.imperial,
      meter_reading_factor: '1',
      last_reading: String(meter.readingOn(lastReadOn)),
      last_reading_on: formatDay(lastReadOn),
      nomination_shipper_ref: shipperReference(cell, supplyPoint),
      cohort: cohortOf(cell, supplyPoint),
    },
  });
}

/** Publishes the part of a backfill for the interface of other systems. */
export function backfillThroughApi(cell: Cell, { account, supplyPoint, from }: Supply) {
  return occurrence('meterpoint.gas.api_backfill', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      supplier: ownSupplier.gas,
      supply_start_date: formatDay(from),
      meter_reading_factor: '1',
      nomination_shipper_ref: shipperReference(cell, supplyPoint),
      supply_end_date: openEnd,
    },
  });
}

export function changeCohort(cell: Cell, { account, supplyPoint }: Supply, cohort: Cohort) {
  cohortIn.of(cell, supplyPoint).cohort = cohort;
  return occurrence('meterpoint.gas.change_of_cohort.requested', account.number, {
    v1: { mprn: supplyPoint.identifier, cohort },
  });
}

export function cohortOf(cell: Cell, supplyPoint: SupplyPoint): Cohort {
  return cohortIn.of(cell, supplyPoint).cohort;
}

const cohortIn = ownedState<SupplyPoint, { cohort: Cohort }>((cell, supplyPoint) => ({
  cohort: isSmart(gasMeter(cell, supplyPoint))
    ? 'SMART'
    : attributesOf(cell, supplyPoint, 'cohort').weighted({ ...cohorts, SMART: 0 }),
}));

/** Returns the ten digits of the shipper's nomination. */
function shipperReference(cell: Cell, supplyPoint: SupplyPoint): string {
  const random = attributesOf(cell, supplyPoint, 'shipper reference');
  return `${random.integer(10_000, 99_999)}${random.integer(10_000, 99_999)}`;
}

function attributesOf(cell: Cell, supplyPoint: SupplyPoint, what: string) {
  return randomStream(cell.seed, cell.index, 'gas supply', supplyPoint.identifier, what);
}

/** The asset manager of gas meters that switch to us. */
export const ourAssetManager: MeterAssetManager = 'MAA';

export function assetManagerOf(cell: Cell, supplyPoint: SupplyPoint): MeterAssetManager {
  return appointed.of(cell, supplyPoint).manager;
}

export function appointAssetManager(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  { manager, force }: { readonly manager: MeterAssetManager; readonly force: boolean },
) {
  appointed.of(cell, supplyPoint).manager = manager;
  return occurrence('meterpoint.gas.appoint_mam.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      mam_to_appoint: manager,
      force_appointment: force,
      ...meterOf(cell, supplyPoint),
    },
  });
}

export function requestChangeOfAssetManager(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  change: { readonly to: MeterAssetManager; readonly from: Day; readonly force: boolean },
) {
  return occurrence('meterpoint.gas.change_of_mam.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      mam_to_appoint: change.to,
      force_appointment: change.force,
      ...meterOf(cell, supplyPoint),
      effective_from_date: formatDay(change.from),
      current_mam: assetManagerOf(cell, supplyPoint),
    },
  });
}

/**
 * Deappoints the asset manager of the gas meter after that day.
 * @param to The supplier that takes the supply point. Default none.
 */
export function deappointAssetManager(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  { on, to }: { readonly on: Day; readonly to?: OtherSupplier },
) {
  const manager = assetManagerOf(cell, supplyPoint);
  return occurrence('meterpoint.gas.deappoint_mam.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      mam_to_deappoint: manager,
      effective_to_date: formatDay(on),
      is_cos_loss: to !== undefined,
      new_supplier: to?.gas ?? '',
      current_mam: manager,
    },
  });
}

const appointed = ownedState<SupplyPoint, { manager: MeterAssetManager }>(
  ({ seed, index }, { identifier }) => ({
    manager: randomStream(seed, index, 'asset manager', identifier).pick(meterAssetManagers),
  }),
);

/** Describes the meter for an asset manager. */
function meterOf(cell: Cell, supplyPoint: SupplyPoint) {
  const meter = gasMeter(cell, supplyPoint);
  return {
    owner: { code: meter.owner.code, name: meter.owner.name },
    model: meter.model,
    manufacturer: meter.manufacturer,
    manufactured_year: meter.year,
    location: meter.location,
    location_description: meter.locationDescription,
    status: meter.status,
    meter_type: meter.type,
    meter_mechanism: meter.mechanism,
  };
}

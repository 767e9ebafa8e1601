import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { gasMeter } from '../industry/meters.js';
import { occurrence } from '../occurrence.js';
import { type OtherSupplier, ownSupplier } from '../industry/participants.js';
import { assetManagerOf } from '../industry/gas-meters.js';

// Messages between us and the industry about changes of supplier. Key of all of them: number of the present or future
// account of the supply point, which most payloads lack.

/** Publishes that a supply point is about to switch to us. */
export function initiateGain(account: Account, { market, identifier }: SupplyPoint) {
  const fuel = market === 'GBR_GAS' ? 'gas' : 'electricity';
  return occurrence(`industry.${fuel}.change_of_supply.gain.initiated`, account.number, {
    v1: { meter_point_identifier: identifier },
  });
}

export function registerElectricity(
  account: Account,
  supplyPoint: SupplyPoint,
  registration: { readonly from: Day; readonly how: 'gain' | 'migration' | 'export' },
) {
  const isMigration = registration.how === 'migration';
  return occurrence('meterpoint.elec.cos_gain.registration.requested', account.number, {
    v1: {
      mpan: supplyPoint.identifier,
      supply_start_date: formatDay(registration.from),
      supplier_mpid: ownSupplier.electricity,
      account_number: account.number,
      is_internal_transfer: isMigration,
      is_migrated: isMigration,
      is_export: registration.how === 'export',
    },
  });
}

export function registerGas(account: Account, supplyPoint: SupplyPoint, from: Day) {
  return occurrence('meterpoint.gas.cos_gain.registration.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      supply_start_date: formatDay(from),
      supplier_mpid: ownSupplier.gas,
      account_number: account.number,
    },
  });
}

export function confirmGasRegistration(cell: Cell, account: Account, supplyPoint: SupplyPoint) {
  return occurrence('meterpoint.gas.cos_gain.registration.confirmed', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      previous_mam: assetManagerOf(cell, supplyPoint),
      is_domestic: cell.setting !== 'business',
      is_igt_mam: /^7[4-7]/.test(supplyPoint.identifier),
    },
  });
}

/** Confirms that another supplier takes the gas supply point on that day. */
export function confirmGasLoss(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  loss: { readonly on: Day; readonly to: OtherSupplier },
) {
  const meter = gasMeter(cell, supplyPoint);
  return occurrence('meterpoint.gas.cos_loss.confirmed', account.number, {
    v1: {
      account_id: account.id,
      mprn: supplyPoint.identifier,
      supply_end_date: formatDay(loss.on),
      meter_exists: true,
      meter_serial_number: meter.serial,
      meter_digits: meter.digits,
      meter_mechanism: meter.mechanism,
      meter_imperial_metric_indicator: meter.imperial ? 'I' : 'M',
      meter_reading_factor: 1,
      new_supplier: loss.to.gas,
    },
  });
}

/** Publishes that another supplier has the supply point. */
export function completeLoss(
  account: Account,
  { market, identifier }: SupplyPoint,
  loss: { readonly on: Day; readonly to: OtherSupplier },
) {
  const ended = { account_number: account.number, supply_end_date: formatDay(loss.on) };
  return market === 'GBR_GAS'
    ? occurrence('industry.gas.change_of_supply.loss.complete', account.number, {
        v1: { ...ended, mprn: identifier, new_supplier_id: loss.to.gas },
      })
    : occurrence('industry.electricity.change_of_supply.loss.complete', account.number, {
        v1: { ...ended, mpan: identifier, new_supplier_id: loss.to.electricity },
      });
}

import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { gasMeter } from '../meters.js';
import { occurrence } from '../occurrence.js';
import { type OtherSupplier, ourself } from '../vocabulary/participants.js';
import { assetManagerOf } from './asset-managers.js';

/**
 * What we and the industry tell each other when a supply point changes supplier. Most messages name only the supply
 * point; their key is the account that has it, or will have it.
 */

/** A supply point is about to come to us. */
export function initiateGain(account: Account, { market, identifier }: SupplyPoint): Occurrence {
  const type =
    market === 'GBR_GAS'
      ? 'industry.gas.change_of_supply.gain.initiated'
      : 'industry.electricity.change_of_supply.gain.initiated';
  return occurrence(type, account.number, { v1: { meter_point_identifier: identifier } });
}

/** We ask to be the supplier of an MPAN from that day on. */
export function registerElectricity(
  account: Account,
  supplyPoint: SupplyPoint,
  registration: { readonly from: Day; readonly how: 'gain' | 'migration' | 'export' },
): Occurrence {
  const isMigration = registration.how === 'migration';
  return occurrence('meterpoint.elec.cos_gain.registration.requested', account.number, {
    v1: {
      mpan: supplyPoint.identifier,
      supply_start_date: formatDay(registration.from),
      supplier_mpid: ourself.electricity,
      account_number: account.number,
      is_internal_transfer: isMigration,
      is_migrated: isMigration,
      is_export: registration.how === 'export',
    },
  });
}

/** We ask to be the supplier of an MPRN from that day on. */
export function registerGas(account: Account, supplyPoint: SupplyPoint, from: Day): Occurrence {
  return occurrence('meterpoint.gas.cos_gain.registration.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      supply_start_date: formatDay(from),
      supplier_mpid: ourself.gas,
      account_number: account.number,
    },
  });
}

/** Nobody objected in time: the supply point will be ours. */
export function confirmGasRegistration(cell: Cell, account: Account, supplyPoint: SupplyPoint): Occurrence {
  return occurrence('meterpoint.gas.cos_gain.registration.confirmed', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      previous_mam: assetManagerOf(cell, supplyPoint),
      is_domestic: cell.setting !== 'business',
      is_igt_mam: /^7[4-7]/.test(supplyPoint.identifier),
    },
  });
}

/** Another supplier will have the gas supply point from that day on, with this meter. */
export function confirmGasLoss(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  loss: { readonly on: Day; readonly to: OtherSupplier },
): Occurrence {
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

/** Another supplier has the supply point now. */
export function completeLoss(
  account: Account,
  { market, identifier }: SupplyPoint,
  loss: { readonly on: Day; readonly to: OtherSupplier },
): Occurrence {
  const ended = { account_number: account.number, supply_end_date: formatDay(loss.on) };
  return market === 'GBR_GAS'
    ? occurrence('industry.gas.change_of_supply.loss.complete', account.number, {
        v1: { ...ended, mprn: identifier, new_supplier_id: loss.to.gas },
      })
    : occurrence('industry.electricity.change_of_supply.loss.complete', account.number, {
        v1: { ...ended, mpan: identifier, new_supplier_id: loss.to.electricity },
      });
}

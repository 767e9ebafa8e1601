import { randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { cellState } from '../cell-state.js';
import { gasMeter } from '../meters.js';
import { occurrence } from '../occurrence.js';
import {
  type MeterAssetManager,
  meterAssetManagers,
  type OtherSupplier,
} from '../vocabulary/participants.js';

/** The asset manager of gas meters that switch to us. */
export const ourAssetManager: MeterAssetManager = 'MAA';

/** Returns the present asset manager of the gas meter. */
export function assetManagerOf(cell: Cell, supplyPoint: SupplyPoint): MeterAssetManager {
  return (
    appointed.of(cell).get(supplyPoint.identifier) ??
    randomStream(cell.seed, cell.index, 'asset manager', supplyPoint.identifier).pick(meterAssetManagers)
  );
}

/** Appoints an asset manager to the gas meter. */
export function appointAssetManager(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  { manager, force }: { readonly manager: MeterAssetManager; readonly force: boolean },
): Occurrence {
  appointed.of(cell).set(supplyPoint.identifier, manager);
  return occurrence('meterpoint.gas.appoint_mam.requested', account.number, {
    v1: {
      mprn: supplyPoint.identifier,
      mam_to_appoint: manager,
      force_appointment: force,
      ...meterOf(cell, supplyPoint),
    },
  });
}

/** Requests another asset manager from that day on. */
export function requestChangeOfAssetManager(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  change: { readonly to: MeterAssetManager; readonly from: Day; readonly force: boolean },
): Occurrence {
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
): Occurrence {
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

/** Appointments made in the run, by MPRN. */
const appointed = cellState<Map<string, MeterAssetManager>>(() => new Map());

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

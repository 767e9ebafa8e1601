import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { cellState } from '../cell-state.js';
import { removeElectricityMeter } from '../meters.js';
import { occurrence } from '../occurrence.js';

/** `E` energised, `D` de-energised. */
type EnergisationStatus = 'E' | 'D';

/** Returns the energisation status, or undefined before its first change. */
export function energisationOf(cell: Cell, supplyPoint: SupplyPoint): EnergisationStatus | undefined {
  return energised.of(cell).get(supplyPoint.identifier);
}

/** Publishes the network's unsolicited message that it energised or de-energised the supply point. Key: account number. */
export function changeEnergisation(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  { status, on }: { readonly status: EnergisationStatus; readonly on: Day },
): Occurrence {
  energised.of(cell).set(supplyPoint.identifier, status);
  return occurrence('industry.electricity.change_of_energisation.unsolicited_message', account.number, {
    v1: { mpan: supplyPoint.identifier, energisation_status: status, effective_from: formatDay(on) },
  });
}

/** Replaces the meter, and publishes the removal of the old one. Key: account number. */
export function deactivateMeter(cell: Cell, account: Account, supplyPoint: SupplyPoint, on: Day): Occurrence {
  const { serial } = removeElectricityMeter(cell, supplyPoint);
  return occurrence('industry.electricity.change_of_service.meter_deactivated', account.number, {
    v1: { mpan: supplyPoint.identifier, serial_number: serial, effective_from: formatDay(on) },
  });
}

const energised = cellState<Map<string, EnergisationStatus>>(() => new Map());

import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { cellState } from '../cell-state.js';
import { removeElectricityMeter } from '../meters.js';
import { occurrence } from '../occurrence.js';

/** `E` energised, `D` de-energised: whether current can flow. */
export type EnergisationStatus = 'E' | 'D';

/** Whether current can flow, where the run knows it; before that, a supply point can have been either. */
export function energisationOf(cell: Cell, supplyPoint: SupplyPoint): EnergisationStatus | undefined {
  return energised.of(cell).get(supplyPoint.identifier);
}

/** The network says, without having been asked, that it switched the supply point on or off. Keyed by account. */
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

/** The meter is taken down; another hangs there from now on. Keyed by account. */
export function deactivateMeter(cell: Cell, account: Account, supplyPoint: SupplyPoint, on: Day): Occurrence {
  const { serial } = removeElectricityMeter(cell, supplyPoint);
  return occurrence('industry.electricity.change_of_service.meter_deactivated', account.number, {
    v1: { mpan: supplyPoint.identifier, serial_number: serial, effective_from: formatDay(on) },
  });
}

const energised = cellState<Map<string, EnergisationStatus>>(() => new Map());

import type { Occurrence } from '../../engine/scenario.js';
import { formatDay } from '../../engine/time.js';
import type { Charge } from '../books.js';
import type { Account, Cell, Period, Supply } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { postEntry } from './ledger.js';

// Key of all these events: account number, which none of the payloads contains.

/** Starts charging the supply for its period. */
export function triggerCharging({ number }: Account, supply: Supply): Occurrence {
  return occurrence('billing.charging.supply-point.triggered', number, {
    v1: { supply_point_id: supply.supplyPoint.id, charge_period: chargePeriod(supply) },
  });
}

/** Publishes that the supply cannot be charged now. */
export function failPriming({ number }: Account, supply: Supply, errors: readonly string[]): Occurrence {
  return occurrence('charging.priming.errored', number, {
    v1: {
      errors: [...errors],
      supply_point_id: String(supply.supplyPoint.id),
      period_start: formatDay(supply.from),
      period_end: formatDay(supply.to),
    },
  });
}

/** Charges the energy of the supply to the account, in pence. */
export function postCharge(
  cell: Cell,
  account: Account,
  supply: Supply,
  amount: number,
): { charge: Charge; posted: Occurrence } {
  const { entry, posted } = postEntry(cell, account, { kind: 'charge', amount, energy: supply });
  return { charge: { ...supply, entry }, posted };
}

/** Publishes measured half-hours, which replace the estimates of the supply. */
export function receiveIntervals({ number }: Account, { supplyPoint, from }: Supply): Occurrence {
  return occurrence('actual.intervals.received', number, {
    v1: { mpan: supplyPoint.identifier, rebill_from: formatDay(from) },
  });
}

function chargePeriod({ from, to }: Period) {
  return { start_at: localMidnight(from), end_at: localMidnight(to) };
}

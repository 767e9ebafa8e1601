import type { Occurrence } from '../../engine/scenario.js';
import { formatDay } from '../../engine/time.js';
import type { Account, Cell, ChargedSupply, Ledger, LedgerEntry, Supply } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { ledgerOf } from './books.js';
import { addEntry, type NewEntry } from './entries.js';

/** Posts an entry to a ledger of the account. Default: its own; a deposit has another. */
export function postEntry(
  cell: Cell,
  account: Account,
  { ledger = ledgerOf(cell, account), ...added }: NewEntry & { readonly ledger?: Ledger },
): { entry: LedgerEntry; posted: Occurrence } {
  const entry = addEntry(cell, ledger, added);
  return { entry, posted: announceEntry(account, entry, ledger) };
}

/** Posts a payment of the customer, or a repayment to them. @param ledger See {@link postEntry}. */
export function postPayment(
  cell: Cell,
  account: Account,
  kind: 'payment' | 'repayment',
  amount: number,
  ledger = ledgerOf(cell, account),
) {
  return postEntry(cell, account, { kind, amount, sourceId: cell.ids.integer('payment'), ledger });
}

/** Publishes that an entry was added to a ledger of the account. Default: its own. */
export function announceEntry(account: Account, entry: LedgerEntry, ledger = account.ledger): Occurrence {
  const { id, sourceId, sourceType } = entry;
  const v1 = { ledger: describe(account, ledger) };
  return occurrence('billing.ledger.entry_posted', account.number, {
    v1,
    v2: {
      ...v1,
      entry: {
        id,
        ...flags(entry),
        ...(sourceId !== undefined && { source_id: sourceId }),
        source_type: sourceType,
      },
    },
  });
}

/** Removes an entry from the ledger. @throws Error if the ledger lacks the entry. */
export function removeEntry(account: Account, entry: LedgerEntry, reason: string) {
  const place = account.ledger.entries.indexOf(entry);
  if (place < 0) throw new Error(`ledger "${account.ledger.number}" has no entry ${entry.id} to remove`);
  account.ledger.entries.splice(place, 1);
  const ledger = describe(account, account.ledger);
  return occurrence('billing.ledger.entry_removed', account.number, {
    v1: { ledger },
    v2: { ledger, entry: { id: entry.id, amount: entry.amount, ...flags(entry), source_reason: reason } },
  });
}

/** Publishes that the account's overdue debt has changed by `change` pence. */
export function changeDebtPosition(cell: Cell, account: Account, change: number) {
  const ledger = ledgerOf(cell, account);
  ledger.position += change;
  return announceDebtPosition(cell, account, ledger.position - change);
}

/** Publishes that the account's overdue debt has changed. @param previous Pence. */
export function announceDebtPosition(cell: Cell, account: Account, previous: number) {
  const { number, position } = account.ledger;
  const v1 = {
    ledger_number: number,
    changed_on: formatDay(cell.today),
    previous_value: previous,
    new_value: position,
  };
  return occurrence('delinquent_debt.position_changed', account.number, {
    v1,
    v2: { ...v1, account_number: account.number },
  });
}

function describe({ number }: Account, ledger: Ledger) {
  return { account: { number }, number: ledger.number };
}

function flags({ kind, reverses, isReversed }: LedgerEntry) {
  return {
    is_charge: kind === 'charge',
    is_credit: kind === 'credit',
    is_payment: kind === 'payment',
    is_repayment: kind === 'repayment',
    is_reversal: reverses !== undefined,
    is_reversed: isReversed,
  };
}

// Key of the events about charging: account number, which none of the payloads contains.

export function triggerCharging({ number }: Account, supply: Supply) {
  return occurrence('billing.charging.supply-point.triggered', number, {
    v1: {
      supply_point_id: supply.supplyPoint.id,
      charge_period: { start_at: localMidnight(supply.from), end_at: localMidnight(supply.to) },
    },
  });
}

/** Publishes that the supply cannot be charged now. */
export function failPriming({ number }: Account, supply: Supply, errors: readonly string[]) {
  return occurrence('charging.priming.errored', number, {
    v1: {
      errors: [...errors],
      supply_point_id: String(supply.supplyPoint.id),
      period_start: formatDay(supply.from),
      period_end: formatDay(supply.to),
    },
  });
}

/** Charges the energy of the supply to the account. */
export function postCharge(cell: Cell, account: Account, energy: ChargedSupply) {
  return postEntry(cell, account, { kind: 'charge', energy });
}

/** Publishes measured half-hours, which replace the estimates of the supply. */
export function receiveIntervals({ number }: Account, { supplyPoint, from }: Supply) {
  return occurrence('actual.intervals.received', number, {
    v1: { mpan: supplyPoint.identifier, rebill_from: formatDay(from) },
  });
}

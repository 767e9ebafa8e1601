import { randomStream } from '../../engine/random.js';
import { type Day, formatInstant, type Instant } from '../../engine/time.js';
import {
  type Bill,
  booksOf,
  type Charge,
  draftBill,
  monthBefore,
  recordOldCharge,
  supplyDuring,
} from '../billing/books.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell, LedgerEntry } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** An unpaid bill with its charge. */
export interface Debt {
  readonly account: Account;
  readonly bill: Bill;
  readonly charge: Charge;
}

/** Debts of an account from before the run. */
export interface DebtRecord {
  /** The unpaid bill, once {@link takeUnpaidBill} has returned it. */
  debt: Debt | undefined;
  /** Pence that were written off and can be written back. */
  writtenOff: number;
}

export const debtRecords = ownedState<Account, DebtRecord>(({ seed, index }, { number }) => {
  const random = randomStream(seed, index, 'written off', number);
  return { debt: undefined, writtenOff: Math.round(random.spread(2_500, 60_000)) };
});

/**
 * Returns the bill that the account never paid: the one before its last. Returns undefined if the account is too young,
 * or if the bill was returned before.
 */
export function takeUnpaidBill(cell: Cell, account: Account, today: Day): Debt | undefined {
  const record = debtRecords.of(cell, account);
  const { bills } = booksOf(cell, account, today);
  const last = bills[0];
  if (record.debt !== undefined || last === undefined) return undefined;
  const period = { from: monthBefore(last.from), to: last.from };
  const [supply] = supplyDuring(account, period);
  if (supply === undefined) return undefined;

  const random = randomStream(cell.seed, cell.index, 'unpaid bill', account.number);
  const amount = Math.round(random.spread(minDebt, maxDebt));
  const charge = recordOldCharge(cell, account, supply, amount);
  const bill = draftBill(cell, { ...period, charges: [charge], amount });
  record.debt = { account, bill, charge };
  return record.debt;
}

/** Pence. Smaller debts are not followed up. */
const minDebt = 5_001;
const maxDebt = 120_000;

/** Allocates pence of a payment to a charge: never more than either amount. */
export function allocatePayment(
  cell: Cell,
  { number, ledger }: Account,
  allocation: {
    readonly payment: LedgerEntry;
    readonly charge: LedgerEntry;
    readonly amount: number;
    readonly at: Instant;
  },
) {
  const { payment, charge, amount, at } = allocation;
  return occurrence('delinquent_debt.allocation_created', number, {
    v1: {
      ledger_number: ledger.number,
      account_number: number,
      allocation_identifier: cell.ids.uuid('allocation'),
      amount,
      reason: 'PAYMENT',
      created_at: formatInstant(at),
      fulfilment: { source_type: payment.sourceType, source_identifier: String(payment.id) },
      obligation: { source_type: charge.sourceType, source_identifier: String(charge.id) },
      payout: {},
    },
  });
}

/** Writes back the debt that was written off. */
export function completeWriteBack(account: Account, record: DebtRecord) {
  const amount = record.writtenOff;
  record.writtenOff = 0;
  return occurrence('debt.actioning.automated_debt_write_back.completed', account.number, {
    v1: { ...name(account), amount },
  });
}

export function skipWriteBack(account: Account, reason: string) {
  return occurrence('debt.actioning.automated_debt_write_back.skipped', account.number, {
    v1: { ...name(account), reason },
  });
}

export function failWriteBack(account: Account) {
  return occurrence('debt.actioning.automated_debt_write_back.failed', account.number, {
    v1: { ...name(account), reason: 'LEDGER_LOCKED', exception: 'LedgerLockedError' },
  });
}

function name({ number, ledger }: Account) {
  return { ledger_number: ledger.number, account_number: number };
}

import { randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import {
  type Bill,
  booksOf,
  type Charge,
  draftBill,
  monthBefore,
  recordOldCharge,
  supplyDuring,
} from './books.js';
import type { Account, Cell } from './cell.js';
import { ownedState } from './cell-state.js';

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

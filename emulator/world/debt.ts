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
import { cellState } from './cell-state.js';

/** An unpaid bill that is followed up, with the charge that is owed. */
export interface Debt {
  readonly account: Account;
  readonly bill: Bill;
  readonly charge: Charge;
}

/** What is known about an account that did not pay. */
export interface DebtRecord {
  /** The unpaid bill that was there before the run, once somebody has looked for it. */
  debt: Debt | undefined;
  /** Pence that were given up before the run and can be taken up again. */
  writtenOff: number;
}

export function debtRecordOf(cell: Cell, account: Account): DebtRecord {
  const known = records.of(cell);
  let found = known.get(account);
  if (found === undefined) {
    const random = randomStream(cell.seed, cell.index, 'written off', account.number);
    found = { debt: undefined, writtenOff: Math.round(random.spread(2_500, 60_000)) };
    known.set(account, found);
  }
  return found;
}

/**
 * The bill that the account never paid: the one before its last. There is none when the account is too young for that,
 * or when its unpaid bill has been followed up already.
 */
export function takeUnpaidBill(cell: Cell, account: Account, today: Day): Debt | undefined {
  const record = debtRecordOf(cell, account);
  const { bills } = booksOf(cell, account, today);
  const last = bills[0];
  if (record.debt !== undefined || last === undefined) return undefined;
  const period = { from: monthBefore(last.from), to: last.from };
  const [supply] = supplyDuring(account, period);
  if (supply === undefined) return undefined;

  const random = randomStream(cell.seed, cell.index, 'unpaid bill', account.number);
  const amount = Math.round(random.spread(leastDebt, mostDebt));
  const charge = recordOldCharge(cell, account, supply, amount);
  const bill = { ...draftBill(cell, { ...period, charges: [charge], amount }), issued: true };
  record.debt = { account, bill, charge };
  return record.debt;
}

/** Pence. Less is not worth a letter. */
const leastDebt = 5_001;
const mostDebt = 120_000;

const records = cellState<Map<Account, DebtRecord>>(() => new Map());

import { london } from '../../engine/calendar.js';
import type { Occurrence } from '../../engine/scenario.js';
import { hash32 } from '../../engine/random.js';
import { formatInstant } from '../../engine/time.js';
import { booksOf, ledgerOf } from '../billing/books.js';
import { costFrom } from '../billing/charges.js';
import { type Bill, type Due, joinedOn, overdueOf } from '../billing/dues.js';
import { cellState, ownedState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** A bill that was not paid. */
export interface Debt {
  readonly account: Account;
  readonly bill: Bill;
  readonly due: Due;
}

/** A debt of an account from before the run that was written off. */
export interface DebtRecord {
  /** Pence that can be written back. */
  writtenOff: number;
}

/** The amount written off is the cost of three months: of some more than a year ago, or of the first. */
export const debtRecords = ownedState<Account, DebtRecord>((cell, account) => {
  const since = london.dayAt(cell.ids.start) - 400 - (hash32(cell.seed, cell.index, 'written off') % 600);
  return { writtenOff: costFrom(cell, account, Math.max(since, joinedOn(account)), 90) };
});

/**
 * Returns the bill that the account has failed to pay, and raises its overdue debt by it. Without one, the account does not
 * pay the bill that it got last. Returns undefined if it has paid that, too, or if too little is owed for it, which its next
 * payment then includes, or while the account is reminded of another bill.
 */
export function takeUnpaidBill(cell: Cell, account: Account): Debt | undefined {
  if (reminded.of(cell).has(account)) return undefined;
  const books = booksOf(cell, account);
  const { dues } = books;
  const due = dues.find(({ isMissed }) => isMissed) ?? dues.findLast(({ steps }) => steps[0]?.does === 'pay');
  if (due?.bill === undefined) return undefined;
  const overdue = overdueOf(account, due);
  books.isCorrected ||= overdue === 0 && due.isMissed;
  due.isMissed = false;
  if (overdue === 0) return undefined;
  due.steps.length = 0;
  due.overdue = overdue;
  reminded.of(cell).add(account);
  return { account, bill: due.bill, due };
}

/** Accounts with an unpaid bill, up to the end of its reminders. */
export const reminded = cellState<Set<Account>>(() => new Set());

/** Allocates the payment of an overdue bill to its charges, all of it, and to no charge more than its amount. */
export function allocations(cell: Cell, account: Account, { charges, payment, overdue }: Due): Occurrence[] {
  const { number } = account;
  const ledger = ledgerOf(cell, account);
  const allocated: Occurrence[] = [];
  let left = overdue;
  for (const charge of charges) {
    const amount = Math.min(left, charge.amount);
    if (amount === 0 || payment === undefined) break;
    left -= amount;
    allocated.push(
      occurrence('delinquent_debt.allocation_created', number, {
        v1: {
          ledger_number: ledger.number,
          account_number: number,
          allocation_identifier: cell.ids.uuid('allocation'),
          amount,
          reason: 'PAYMENT',
          created_at: formatInstant(cell.now),
          fulfilment: { source_type: payment.sourceType, source_identifier: String(payment.id) },
          obligation: { source_type: charge.sourceType, source_identifier: String(charge.id) },
          payout: {},
        },
      }),
    );
  }
  return allocated;
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

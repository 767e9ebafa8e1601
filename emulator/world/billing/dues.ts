import { london } from '../../engine/calendar.js';
import { type Day, yearOf } from '../../engine/time.js';
import type { Account, Cell, Ledger, LedgerEntry, Period } from '../cell.js';
import { costFrom, totalOf } from './charges.js';
import { balance } from './entries.js';
import {
  billNames,
  monthOf,
  type PaymentOutcome,
  paymentPlan,
  type PaymentStep,
  paymentSteps,
} from './payments.js';

/** Billing options, bills and expected payments of an account. */
export interface Books {
  options: BillingOptions;
  /** Id of the account's pathway through the billing steps. */
  readonly pathway: string;
  /** The end of the last bill, exclusive: the next bill begins at midnight at the start of this day. */
  billedTo: Day;
  /** In order of issue. */
  readonly bills: Bill[];
  /** Month of the first of them that is from before the run. */
  recalledFrom: number;
  /** Charges that no bill lists yet. */
  readonly unbilled: LedgerEntry[];
  /** Payments that are expected, or were missed. */
  dues: Due[];
  /** Monthly payment of a fixed plan, in pence. */
  instalment: number;
  /** Ledgers of the account other than its own. */
  readonly deposits: Ledger[];
}

interface BillingOptions {
  readonly id: number;
  /** Day of the month of the bill run, 1 to 28. */
  readonly day: number;
}

export interface Bill extends Period {
  /** Id of the billing document, which is also the statement. */
  readonly id: number;
  readonly identifier: string;
  readonly uuid: string;
  readonly issuedOn: Day;
  readonly charges: LedgerEntry[];
  /** Pence of the credits on the bill. */
  readonly credited: number;
  /** Pence: the charges less the credits. */
  readonly amount: number;
}

/** The charges of a month and their payment. */
export interface Due {
  /** Undefined for a prepaid account, which gets no monthly bill. */
  readonly bill: Bill | undefined;
  readonly charges: readonly LedgerEntry[];
  /** Pence of each payment. */
  readonly amount: number;
  /** Its future steps, in order. */
  readonly steps: PaymentStep[];
  payment: LedgerEntry | undefined;
  /** Pence that raised the overdue debt of the account. */
  overdue: number;
  isMissed: boolean;
}

/**
 * Returns the end (exclusive) of the period that a bill run can bill. Readings of last midnight, and confirmations of
 * supplies that ended then, arrive only during today.
 */
export function closedDay(today: Day): Day {
  return today - 1;
}

/** Returns the first day of supply of an account. */
export function joinedOn({ agreements }: Account): Day {
  return agreements.reduce((first, { from }) => Math.min(first, from), Infinity);
}

/** Whether the account's payments are reviewed on the bill of a month: a year after it joined, and each year later. */
export function isReviewed(account: Account, month: number): boolean {
  const joined = monthOf(joinedOn(account));
  return month > joined && (month - joined) % 12 === 0;
}

export const creditOutcomes = { none: 0.88, posted: 0.12 } as const;

/** Returns the pence of a credit on the bill of a month. */
export function creditOn(cell: Cell, month: number, charged: number): number {
  const random = billNames(cell).stream(month, 'credit');
  return Math.min(random.integer(5, 50) * 100, Math.floor(charged / 2));
}

/** @param madeOn The day of a bill from the past. Default: now. */
export function draftBill(
  cell: Cell,
  bill: Pick<Bill, 'from' | 'to' | 'charges' | 'credited'>,
  madeOn?: Day,
): Bill {
  return new Draft(cell, bill, madeOn);
}

/** A bill that computes its names on first use: those of bills from the past are rarely used. */
class Draft implements Bill {
  readonly from: Day;
  readonly to: Day;
  readonly charges: LedgerEntry[];
  readonly credited: number;
  readonly id: number;
  readonly issuedOn: Day;
  readonly #cell: Cell;
  #uuid: string | undefined;

  constructor(
    cell: Cell,
    { from, to, charges, credited }: Pick<Bill, 'from' | 'to' | 'charges' | 'credited'>,
    madeOn?: Day,
  ) {
    this.from = from;
    this.to = to;
    this.charges = charges;
    this.credited = credited;
    this.id = cell.ids.integer('statement', madeOn);
    this.issuedOn = madeOn ?? london.dayAt(cell.ids.now);
    this.#cell = cell;
  }

  get amount(): number {
    return totalOf(this.charges) - this.credited;
  }

  get identifier(): string {
    return billIdentifier(this);
  }

  get uuid(): string {
    return (this.#uuid ??= this.#cell.ids.uuid('billing document'));
  }
}

export function billIdentifier({ id, issuedOn }: Pick<Bill, 'id' | 'issuedOn'>): string {
  return `BD-${yearOf(issuedOn)}-${id}`;
}

/** Expects the payment of the charges of a month, which were just posted. */
export function expectPayment(
  cell: Cell,
  account: Account,
  books: Books,
  posted: Pick<Due, 'bill' | 'charges'> & {
    readonly month: number;
    readonly issuedOn: Day;
    readonly outcome: PaymentOutcome;
  },
): Due {
  const { bill, charges, month, issuedOn } = posted;
  const steps = paymentSteps(cell, posted);
  const owed = balance(account.ledger);
  let amount = bill?.amount ?? 0;
  if (bill === undefined) {
    amount = Math.max(0, Math.ceil((owed + totalOf(charges)) / (steps.length * topUp)) * topUp);
  } else if (paymentPlan(cell) === 'fixed') {
    if (books.instalment === 0 || isReviewed(account, month)) {
      const cost = costFrom(cell, account, issuedOn, 365) + Math.max(0, owed);
      books.instalment = Math.ceil(cost / 1_200) * 100;
    }
    if (books.instalment > 0) amount = books.instalment;
  }
  const due: Due = {
    bill,
    charges,
    amount,
    steps: amount > 0 ? steps : [],
    payment: undefined,
    overdue: 0,
    isMissed: false,
  };
  books.dues = books.dues.filter((each) => each.steps.length > 0 || each.isMissed);
  books.dues.push(due);
  return due;
}

/** Returns the pence by which the overdue debt of the account rises if the payment is missed. */
export function overdueOf({ ledger }: Account, { amount, charges }: Due): number {
  return Math.max(0, Math.min(amount, totalOf(charges), balance(ledger) - ledger.position));
}

/** Pence. */
const topUp = 500;

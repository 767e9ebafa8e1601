import { type Day, yearOf } from '../../engine/time.js';
import type { Account, Cell, LedgerEntry, Period } from '../cell.js';
import { costOf, isPriced, supplyFrom, totalOf } from './charges.js';
import { addEntry, balance, Computed, owedNotOverdue, type Pence, reversalOf, valueOf } from './entries.js';
import {
  type BilledMonth,
  billNames,
  lastPaymentSteps,
  monthOf,
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
  /** Adds a bill after all others, which need not be computed for it. */
  addBill(bill: Bill): void;
  /** Month of the first of them that is from before the run, or 0 without any. */
  readonly recalledFrom: number;
  /** Charges that no bill lists yet. */
  readonly unbilled: LedgerEntry[];
  /** Payments that are expected, or were missed. */
  dues: Due[];
  /** Monthly payment of a fixed plan. */
  instalment: Pence;
  /** Whether the account has left and got its last bill. */
  isClosed: boolean;
  /** Whether a charge was corrected after it was billed. From then on, each payment pays all that is owed. */
  isCorrected: boolean;
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
  /** A bill that is held is issued later than it was drafted. */
  issuedOn: Day;
  readonly charges: LedgerEntry[];
  /** Pence of the credits on the bill. */
  readonly credited: number;
  /** Pence: the charges less the credits. */
  readonly amount: number;
}

/** Account with what its payments depend on. */
type Payer = Pick<Account, 'agreements' | 'ledger'>;

/** The charges of a month and their payment. */
export interface Due {
  /** See `monthOf`. */
  readonly month: number;
  /** Undefined for a prepaid account, which gets no monthly bill. */
  readonly bill: Bill | undefined;
  readonly charges: readonly LedgerEntry[];
  /** Pence of each payment. */
  amount: number;
  /** Its future steps, in order. */
  readonly steps: PaymentStep[];
  payment: LedgerEntry | undefined;
  /** Pence that raised the overdue debt of the account. */
  overdue: number;
  isMissed: boolean;
  /** Whether it settles the last bill of an account that has left. It pays, or pays back, the balance. */
  readonly isLast?: boolean;
}

/**
 * Returns the end (exclusive) of the period that a bill run can bill. Readings of last midnight, and confirmations of
 * supplies that ended then, arrive only during today.
 */
export function closedDay(today: Day): Day {
  return today - 1;
}

/** Returns the first day of supply of an account. */
export function joinedOn({ agreements }: Pick<Account, 'agreements'>): Day {
  return agreements.reduce((first, { from }) => Math.min(first, from), Infinity);
}

/** Whether the account's payments are reviewed on the bill of a month: a year after it joined, and each year later. */
export function isReviewed(account: Pick<Account, 'agreements'>, month: number): boolean {
  const joined = monthOf(joinedOn(account));
  return month > joined && (month - joined) % 12 === 0;
}

export const creditOutcomes = { none: 0.88, posted: 0.12 } as const;

/** Returns the pence of a credit on the bill of a month. */
export function creditOn(cell: Cell, month: number, charges: readonly Pick<LedgerEntry, 'amount'>[]): number {
  const random = billNames(cell).stream(month, 'credit');
  return Math.min(random.integer(5, 50) * 100, Math.floor(totalOf(charges) / 2));
}

type NewBill = Pick<Bill, 'from' | 'to' | 'charges'> & { readonly credited: Pence };

/** @param madeOn The day of a bill from the past. Default: now. */
export function draftBill(cell: Cell, bill: NewBill, madeOn?: Day): Bill {
  return new Draft(cell, bill, madeOn);
}

/** A bill that computes what is rarely read. */
class Draft implements Bill {
  readonly from: Day;
  readonly to: Day;
  readonly charges: LedgerEntry[];
  readonly id: number;
  issuedOn: Day;
  readonly #draftedOn: Day;
  #credited: Pence;
  readonly #cell: Cell;
  #uuid: string | undefined;

  constructor(cell: Cell, { from, to, charges, credited }: NewBill, madeOn?: Day) {
    this.from = from;
    this.to = to;
    this.charges = charges;
    this.#credited = credited;
    this.id = cell.ids.integer('statement', madeOn);
    this.#draftedOn = madeOn ?? cell.today;
    this.issuedOn = this.#draftedOn;
    this.#cell = cell;
  }

  get credited(): number {
    return (this.#credited = valueOf(this.#credited));
  }

  get amount(): number {
    return totalOf(this.charges) - this.credited;
  }

  get identifier(): string {
    return billIdentifier(this.id, this.#draftedOn);
  }

  get uuid(): string {
    return (this.#uuid ??= this.#cell.ids.uuid('billing document'));
  }
}

export function billIdentifier(id: number, draftedOn: Day): string {
  return `BD-${yearOf(draftedOn)}-${id}`;
}

/** Expects the payment of the charges of a month, which were just posted. */
export function expectPayment(
  cell: Cell,
  account: Payer,
  books: Pick<Books, 'dues' | 'instalment'>,
  posted: Pick<Due, 'bill' | 'charges'> &
    BilledMonth & {
      /** Whether it pays all that the account owes, less its credit, and not the bill alone. Default false. */
      readonly isWhole?: boolean;
    },
): Due {
  const { bill, charges, month, issuedOn, plan = paymentPlan(cell), isWhole = false } = posted;
  const steps = paymentSteps(cell, posted);
  let amount: Pence;
  if (bill === undefined) {
    const owed = balance(account.ledger) + totalOf(charges);
    amount = Math.max(0, Math.ceil(owed / (steps.length * topUp)) * topUp);
  } else {
    amount = isWhole ? Math.max(0, owedNotExpected(account, books)) : whenRead(charges, bill);
    if (plan === 'fixed') {
      if (books.instalment === 0 || isReviewed(account, month) || beginsSupply(account, bill)) {
        books.instalment = instalmentFrom(cell, account, issuedOn);
      }
      if (books.instalment !== 0) amount = books.instalment;
    }
  }
  const due = new Expected(posted, amount, amount === 0 ? [] : steps);
  addDue(books, due);
  return due;
}

/** Whether the bill is the first one of a supply, for example at another home. */
function beginsSupply({ agreements }: Payer, bill: Bill): boolean {
  return bill.charges.some(({ energy }) =>
    agreements.every(({ supplyPoint, from }) => supplyPoint !== energy?.supplyPoint || from >= bill.from),
  );
}

/** Returns the pence that are neither overdue nor will be paid by a payment that is expected. */
function owedNotExpected({ ledger }: Payer, { dues }: Pick<Books, 'dues'>): number {
  return dues.reduce((owed, { steps: [next], amount, overdue, isMissed }) => {
    const isOwed = isMissed || next?.does === 'pay' || next?.does === 'fall-behind';
    return isOwed ? owed - (amount - overdue) : owed;
  }, owedNotOverdue(ledger));
}

function addDue(books: Pick<Books, 'dues'>, due: Due): void {
  books.dues = books.dues.filter((each) => each.steps.length > 0 || each.isMissed);
  books.dues.push(due);
}

/**
 * Ends the payments of an account that has left, on the day of its last bill. One more payment pays all that is owed, except
 * for debt that somebody follows up, or credit is paid back.
 */
export function closeBooks(
  cell: Cell,
  account: Payer,
  books: Pick<Books, 'dues' | 'isClosed'>,
  { bill, issuedOn }: { readonly bill: Bill | undefined; readonly issuedOn: Day },
): Due {
  let overdue = 0;
  for (const due of books.dues) {
    const next = due.steps[0]?.does;
    if (next === 'allocate' || next === 'catch-up') continue;
    if (next === 'pay') overdue += due.overdue;
    // A payment that the bank returns is owed again.
    due.steps.length = next === 'return' ? 1 : 0;
    due.isMissed = false;
  }
  const { ledger } = account;
  const owed = owedNotOverdue(ledger) + overdue;
  const last: Due = {
    month: monthOf(issuedOn),
    bill,
    charges: ledger.entries.filter(({ kind }) => kind === 'charge').toReversed(),
    amount: owed,
    steps: lastPaymentSteps(cell, { issuedOn, owed, overdue }),
    payment: undefined,
    overdue,
    isMissed: false,
    isLast: true,
  };
  addDue(books, last);
  books.isClosed = true;
  return last;
}

class Expected implements Due {
  payment: LedgerEntry | undefined;
  overdue = 0;
  isMissed = false;
  readonly month: number;
  readonly bill: Bill | undefined;
  readonly charges: readonly LedgerEntry[];
  readonly steps: PaymentStep[];
  readonly #amount: Pence;

  constructor(
    { month, bill, charges }: Pick<Due, 'month' | 'bill' | 'charges'>,
    amount: Pence,
    steps: PaymentStep[],
  ) {
    this.month = month;
    this.bill = bill;
    this.charges = charges;
    this.steps = steps;
    this.#amount = amount;
  }

  get amount(): number {
    return valueOf(this.#amount);
  }
}

/** Returns a twelfth of the cost of a year, and of what is owed now, in whole pounds. */
function instalmentFrom(cell: Cell, account: Payer, from: Day): Pence {
  const supplies = supplyFrom(account, from, 365);
  const entries = [...account.ledger.entries];
  let known: number | undefined;
  return whenRead(
    supplies.map((energy) => ({ energy })),
    new Computed(
      () => (known ??= Math.ceil((costOf(cell, supplies) + Math.max(0, balance({ entries }))) / 1_200) * 100),
    ),
  );
}

/** Returns an amount that is above zero because one of the charges is, without computing it; otherwise its value. */
function whenRead(charges: readonly Pick<LedgerEntry, 'energy'>[], pence: Exclude<Pence, number>): Pence {
  return charges.some(({ energy }) => energy && isPriced(energy)) ? pence : pence.amount;
}

/** Takes a step of a payment, except for allocation. Returns the entry that it adds. @param on Default: now. */
export function takeStep(
  cell: Cell,
  account: Payer,
  due: Due,
  { does }: PaymentStep,
  on?: Day,
): LedgerEntry | undefined {
  const { ledger } = account;
  switch (does) {
    case 'pay': {
      if (due.isLast) return payLast(cell, account, due, on);
      const sourceId = cell.ids.integer('payment', on);
      // The bill may have been corrected since it raised the overdue debt.
      const amount = due.overdue > 0 ? Math.max(due.amount, due.overdue) : due;
      due.payment = addEntry(cell, ledger, { kind: 'payment', amount, sourceId }, on);
      return due.payment;
    }
    case 'return':
      return due.payment && addEntry(cell, ledger, reversalOf(due.payment), on);
    case 'miss':
      due.isMissed = true;
      return undefined;
    case 'fall-behind': {
      const overdue = overdueOf(account, due);
      due.overdue += overdue;
      ledger.position += overdue;
      return undefined;
    }
    case 'catch-up':
      ledger.position -= due.overdue;
      return undefined;
    case 'allocate':
      return undefined;
  }
}

/** Pays what is owed by an account that has left, or pays its credit back. */
function payLast(cell: Cell, { ledger }: Payer, due: Due, on: Day | undefined): LedgerEntry | undefined {
  const owed = owedNotOverdue(ledger) + due.overdue;
  if (owed === 0) return undefined;
  due.amount = Math.abs(owed);
  const sourceId = cell.ids.integer('payment', on);
  if (owed < 0) return addEntry(cell, ledger, { kind: 'repayment', amount: due.amount, sourceId }, on);
  due.payment = addEntry(cell, ledger, { kind: 'payment', amount: due.amount, sourceId }, on);
  return due.payment;
}

/** Returns the pence by which the overdue debt of the account rises if the payment is missed: none below `leastDebt`. */
export function overdueOf({ ledger }: Payer, { amount, charges }: Pick<Due, 'amount' | 'charges'>): number {
  const overdue = Math.min(amount, totalOf(charges), owedNotOverdue(ledger));
  return overdue < leastDebt ? 0 : overdue;
}

/** Pence. */
export const leastDebt = 5_000;

/** Pence. */
const topUp = 500;

import { type DayPart, london } from '../../engine/calendar.js';
import { hash32, type Names, names, type RandomStream, randomStream } from '../../engine/random.js';
import { dateOf, type Day, dayOf, hour, type Instant, minute } from '../../engine/time.js';
import { timeWithin } from '../../engine/time-of-day.js';
import { cellState } from '../cell-state.js';
import type { Cell } from '../cell.js';

/**
 * How an account pays: a twelfth of a year's cost each month, each bill by direct debit, each bill when it has arrived, or
 * in advance.
 */
export type PaymentPlan = 'fixed' | 'whole' | 'receipt' | 'prepaid';

/** The payment of the bills of a household: computed once, needed by each. */
interface Payer {
  readonly plan: PaymentPlan;
  /** Days from a bill to its direct debit, first and last. */
  readonly terms: readonly [number, number];
  /** Days of the month. */
  readonly billDay: number;
  readonly payDay: number;
  /** Names of what its bills draw. */
  readonly bills: Names;
}

/** Part of a cell that decides how and when the household pays. */
export type Household = Pick<Cell, 'seed' | 'index' | 'setting' | 'traits' | 'parts'> & {
  readonly ids: Pick<Cell['ids'], 'start'>;
};

const payers = cellState<Payer, Household>((cell) => ({
  plan: choosePlan(cell),
  terms: cell.setting === 'business' ? [28, 30] : [10, 14],
  billDay: billDay(cell),
  payDay: 1 + (hash32(cell.seed, cell.index, 'pay day') % 28),
  bills: billNames(cell),
}));

export function paymentPlan(cell: Household): PaymentPlan {
  return payers.of(cell).plan;
}

function choosePlan({ seed, index, setting, traits }: Household): PaymentPlan {
  if (setting === 'debtor' || setting === 'business') return 'whole';
  switch (traits.payment) {
    case 'PREPAYMENT':
      return 'prepaid';
    case 'NON_DIRECT_DEBIT':
      return 'receipt';
    case 'DIRECT_DEBIT':
      return hash32(seed, index, 'payment plan') % 4 === 0 ? 'whole' : 'fixed';
  }
}

/** Outcomes of the payment of a bill, with their likelihoods. */
export const paymentOutcomes = { collected: 0.971, returned: 0.02, overdue: 0.009 } as const;
export type PaymentOutcome = keyof typeof paymentOutcomes;

/** Returns the initial bill day of the household: a day of the month, 1 to 28. */
export function billDay({ seed, index }: Pick<Cell, 'seed' | 'index'>): number {
  return randomStream(seed, index, 'bill day').integer(1, 28);
}

/** Returns the number of a day's month, which is also that of the month's instance of `billing-cycle`. */
export function monthOf(date: Day): number {
  const { year, month } = dateOf(date);
  return 12 * year + month - 1;
}

/** Returns the day of the household's bill in a month. */
export function billRun(cell: Household, month: number): Day {
  return dayIn(month, payers.of(cell).billDay);
}

/** Returns the names of what the household's bills draw. The number of a month follows. */
export function billNames({ seed, index }: Pick<Cell, 'seed' | 'index'>): Names {
  return names(seed, index, 'billing-cycle');
}

/** Returns the payment's outcome that the month's instance of `billing-cycle` draws. */
export function paymentOutcome(
  cell: Pick<Cell, 'seed' | 'index'>,
  month: number,
  bills = billNames(cell),
): PaymentOutcome {
  return bills.stream(month, 'branch', 'payment').weighted(paymentOutcomes);
}

/** Day of the month on which `debt-path` follows up the household's unpaid bill: 25 to 28 days after it. */
export function followUpDay(cell: Pick<Cell, 'seed' | 'index'>, own = billDay(cell)): number {
  return ((own + 24) % 28) + 1;
}

/** Returns how many months after a bill it is followed up. */
export function monthsToFollowUp(cell: Pick<Cell, 'seed' | 'index'>, own = billDay(cell)): 0 | 1 {
  return followUpDay(cell, own) > own ? 0 : 1;
}

/**
 * One thing that becomes of a bill: it is paid, its direct debit is returned, it counts as missed, or the account's overdue
 * debt rises by it. A payment of overdue debt is allocated to charges; then the debt falls.
 */
export interface PaymentStep {
  readonly at: Instant;
  readonly does: 'pay' | 'return' | 'miss' | 'fall-behind' | 'allocate' | 'catch-up';
}

/** The bill of a month and the outcome of its payment. */
export interface BilledMonth {
  readonly month: number;
  readonly issuedOn: Day;
  readonly outcome: PaymentOutcome;
  /** Default: that of the household. */
  readonly plan?: PaymentPlan;
}

/** Returns what becomes of the month's bill, in order: the same for a bill from before the run and for one in it. */
export function paymentSteps(
  cell: Household,
  { month, issuedOn, outcome, plan }: BilledMonth,
): PaymentStep[] {
  const usual = payers.of(cell);
  const payer = plan === undefined || plan === usual.plan ? usual : { ...usual, plan };
  const random = payer.bills.stream(month, 'payment');
  if (payer.plan === 'prepaid') {
    const topUps = Array.from({ length: random.integer(2, 5) }, () =>
      timeOn(issuedOn + random.integer(1, 27), 'waking', random),
    );
    return topUps.sort((one, other) => one - other).map((at) => ({ at, does: 'pay' }));
  }
  const isMissed = outcome === 'overdue' && isFollowedUp(cell, payer, month);
  return stepsOfBill(payer, { issuedOn, outcome }, isMissed, random);
}

/** Whether the unpaid bill of a month is followed up in the run. No one reminds a business, which is charged a fee. */
function isFollowedUp(cell: Household, { billDay: own }: Payer, month: number): boolean {
  if (cell.setting === 'debtor') return true;
  const followedUp = dayIn(month + monthsToFollowUp(cell, own), followUpDay(cell, own));
  return cell.setting !== 'business' && !isBefore(cell, followedUp);
}

/** Outcomes of the payment of the last bill. */
const lastOutcomes = { collected: 0.93, returned: 0.03, overdue: 0.04 } as const;

/**
 * Returns what becomes of the last bill of an account that has left, in order. Its payment plan has ended: a direct debit
 * collects the whole balance, with notice, or a card pays it. Credit is paid back within ten working days.
 */
export function lastPaymentSteps(
  cell: Household,
  { issuedOn, owed, overdue }: { readonly issuedOn: Day; readonly owed: number; readonly overdue: number },
): PaymentStep[] {
  const payer = payers.of(cell);
  const random = payer.bills.stream(monthOf(issuedOn), 'last payment');
  if (owed === 0) return [];
  if (owed < 0) {
    const on = london.addWorkingDays(issuedOn, random.integer(6, 9));
    return [{ at: timeOn(on, 'working-morning', random), does: 'pay' }];
  }
  const plan = cell.traits.payment === 'DIRECT_DEBIT' ? 'whole' : 'receipt';
  const drawn = random.weighted(lastOutcomes);
  // A household that left before the run has paid before it.
  const outcome = cell.setting === 'dormant' ? 'collected' : drawn;
  const steps = stepsOfBill({ ...payer, plan }, { issuedOn, outcome }, false, random);
  const [paid] = steps;
  const isCleared = overdue === 0 || steps.length > 1 || paid === undefined;
  return isCleared ? steps : [paid, ...clearing(paid.at, random)];
}

function stepsOfBill(
  payer: Payer,
  { issuedOn, outcome }: Pick<BilledMonth, 'issuedOn' | 'outcome'>,
  isMissed: boolean,
  random: RandomStream,
): PaymentStep[] {
  const at = timeOn(dueDay(payer, issuedOn, random), 'working-morning', random);
  const { plan } = payer;
  if (outcome === 'collected' || (outcome === 'returned' && plan === 'receipt')) return [{ at, does: 'pay' }];
  if (outcome === 'returned') {
    const back = timeOn(
      london.addWorkingDays(london.dayAt(at), random.integer(2, 5)),
      'working-morning',
      random,
    );
    const late = london.dayAt(back) + random.integer(10, 14);
    return [{ at, does: 'pay' }, { at: back, does: 'return' }, ...recovery(london.dayAt(back), late, random)];
  }
  if (isMissed) return [{ at: timeOn(issuedOn + 14, 'night', random), does: 'miss' }];
  return recovery(issuedOn + 14, issuedOn + random.integer(45, 75), random);
}

/** Returns the steps of the payment of a bill from before the run, or none if it is certain that they are over. */
export function recentSteps(cell: Household, month: number): readonly PaymentStep[] {
  const issuedOn = billRun(cell, month);
  const outcome = paymentOutcome(cell, month);
  // A collected payment arrives within 45 days.
  if (outcome === 'collected' && isBefore(cell, issuedOn + 45)) return [];
  return isBefore(cell, issuedOn) ? paymentSteps(cell, { month, issuedOn, outcome }) : [];
}

/** Whether the night of a day ended before the run. */
export function isBefore(cell: Household, date: Day): boolean {
  return london.instantOf(date, 5 * hour) <= cell.ids.start;
}

function recovery(behind: Day, paid: Day, random: RandomStream): PaymentStep[] {
  const at = timeOn(paid, 'working-morning', random);
  return [
    { at: timeOn(behind + 1, 'night', random), does: 'fall-behind' },
    { at, does: 'pay' },
    ...clearing(at, random),
  ];
}

/** Returns what becomes of overdue debt that is paid at an instant. */
function clearing(at: Instant, random: RandomStream): PaymentStep[] {
  return [
    { at: at + random.integer(minute, 6 * hour), does: 'allocate' },
    { at: timeOn(london.dayAt(at) + 1, 'night', random), does: 'catch-up' },
  ];
}

function dueDay({ plan, terms, payDay }: Payer, issuedOn: Day, random: RandomStream): Day {
  if (plan === 'whole') return issuedOn + random.integer(...terms);
  if (plan === 'receipt') return issuedOn + random.integer(8, 35);
  const month = monthOf(issuedOn);
  return payDay > dateOf(issuedOn).dayOfMonth ? dayIn(month, payDay) : dayIn(month + 1, payDay);
}

function dayIn(month: number, dayOfMonth: number): Day {
  return dayOf(Math.floor(month / 12), (month % 12) + 1, dayOfMonth);
}

/** Draws a time in the day part on the day, or on the next day that has one. */
function timeOn(date: Day, dayPart: DayPart, random: RandomStream): Instant {
  for (let on = date; ; on++) {
    const open = london.hours(on, dayPart);
    if (open !== undefined) return london.instantOf(on, timeWithin(open, dayPart, random));
  }
}

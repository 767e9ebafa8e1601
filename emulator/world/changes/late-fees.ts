import type { EventType } from '../../../catalogue/index.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { LedgerEntry } from '../ledger.js';
import { occurrence } from '../occurrence.js';

/** One run over an account that pays late. The key of all of its events is the account number. */
export interface FeeRun {
  readonly id: string;
  readonly account: Account;
  applied: number;
}

/** A fee that was charged. */
export interface LateFee {
  readonly id: number;
  readonly account: Account;
  readonly entry: LedgerEntry;
}

export function startFeeCalculation(cell: Cell, account: Account): { run: FeeRun; started: Occurrence } {
  return start(cell, account, 'late_payment_fee_calculation_service_started');
}

/** Says how many fees are due; the run goes on to apply them. */
export function completeFeeCalculation(run: FeeRun, due: number): Occurrence {
  return occurrence('late_payment_fee_calculation_service_completed', run.account.number, {
    v1: { ...name(run), fees_calculated_count: due },
  });
}

export function startFeeApplication(run: FeeRun): Occurrence {
  return occurrence('late_payment_fee_application_service_started', run.account.number, { v1: name(run) });
}

/** The charge `entry` is a fee of the run. */
export function applyFee(
  cell: Cell,
  run: FeeRun,
  entry: LedgerEntry,
  { on, type }: { readonly on: Day; readonly type: string },
): { fee: LateFee; applied: Occurrence } {
  run.applied++;
  const fee: LateFee = { id: cell.ids.integer('late fee'), account: run.account, entry };
  const applied = occurrence('late_payment_fee_application_service_fee_applied', run.account.number, {
    v1: {
      ...name(run),
      fee_amount: entry.amount,
      fee_date: formatDay(on),
      fee_type: type,
      charge_id: String(entry.id),
    },
  });
  return { fee, applied };
}

export function completeFeeApplication(run: FeeRun, unapplied: number): Occurrence {
  return occurrence('late_payment_fee_application_service_completed', run.account.number, {
    v1: { ...name(run), ...counts(run, unapplied) },
  });
}

/** A member of staff lets the customer off the fee. */
export function waiveFee({ id, account }: LateFee, at: Instant, waivedBy: number): Occurrence {
  return occurrence('late_payment_fee_waived', account.number, {
    v1: { fee_id: id, waived_at: formatInstant(at), support_user_id: waivedBy },
  });
}

/** The older calculator finds fees and applies them in one go. */
export function startFeeCalculator(cell: Cell, account: Account): { run: FeeRun; started: Occurrence } {
  return start(cell, account, 'late_payment_fee_calculator_started');
}

/** The charge `entry` is a fee of the older calculator's run. */
export function applyCalculatedFee(run: FeeRun, entry: LedgerEntry): Occurrence {
  run.applied++;
  return occurrence('late_payment_fee_calculator_fee_applied', run.account.number, {
    v1: { ...name(run), charge_id: String(entry.id) },
  });
}

export function completeFeeCalculator(run: FeeRun, unapplied: number): Occurrence {
  return occurrence('late_payment_fee_calculator_completed', run.account.number, {
    v1: { ...name(run), ...counts(run, unapplied) },
  });
}

type StartOfRun = Extract<EventType, `late_payment_fee_calcul${string}_started`>;

function start(cell: Cell, account: Account, type: StartOfRun): { run: FeeRun; started: Occurrence } {
  const run: FeeRun = { id: cell.ids.uuid('late fee run'), account, applied: 0 };
  return { run, started: occurrence(type, account.number, { v1: name(run) }) };
}

function counts({ applied }: FeeRun, unapplied: number) {
  return { fees_applied_count: applied, fees_unapplied_count: unapplied };
}

function name({ id, account }: FeeRun) {
  return { run_id: id, account_number: account.number };
}

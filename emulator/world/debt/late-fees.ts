import { formatDay, formatInstant } from '../../engine/time.js';
import type { Account, Cell, LedgerEntry } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** A run of late payment fees for an account. Key of its events: account number. */
export interface FeeRun {
  readonly id: string;
  readonly account: Account;
  applied: number;
}

export interface LateFee {
  readonly id: number;
  readonly account: Account;
  readonly entry: LedgerEntry;
}

/** Starts a run of the calculation service, or of the older calculator, which finds and applies fees at once. */
export function startFeeRun(cell: Cell, account: Account, by: 'calculation_service' | 'calculator') {
  const run: FeeRun = { id: cell.ids.uuid('late fee run'), account, applied: 0 };
  return { run, started: occurrence(`late_payment_fee_${by}_started`, account.number, { v1: name(run) }) };
}

/** Publishes the number of fees due, which the same run applies. */
export function completeFeeCalculation(run: FeeRun, due: number) {
  return occurrence('late_payment_fee_calculation_service_completed', run.account.number, {
    v1: { ...name(run), fees_calculated_count: due },
  });
}

export function startFeeApplication(run: FeeRun) {
  return occurrence('late_payment_fee_application_service_started', run.account.number, { v1: name(run) });
}

/** Publishes the charge `entry` as a fee of the run. */
export function applyFee(cell: Cell, run: FeeRun, entry: LedgerEntry, type: string) {
  run.applied++;
  const fee: LateFee = { id: cell.ids.integer('late fee'), account: run.account, entry };
  const applied = occurrence('late_payment_fee_application_service_fee_applied', run.account.number, {
    v1: {
      ...name(run),
      fee_amount: entry.amount,
      fee_date: formatDay(cell.today),
      fee_type: type,
      charge_id: String(entry.id),
    },
  });
  return { fee, applied };
}

/** Completes the run of the application service or of the older calculator. */
export function completeFeeRun(run: FeeRun, by: 'application_service' | 'calculator', unapplied: number) {
  return occurrence(`late_payment_fee_${by}_completed`, run.account.number, {
    v1: { ...name(run), fees_applied_count: run.applied, fees_unapplied_count: unapplied },
  });
}

/** Waives the fee. `waivedBy` is the id of a member of staff. */
export function waiveFee(cell: Cell, { id, account }: LateFee, waivedBy: number) {
  return occurrence('late_payment_fee_waived', account.number, {
    v1: { fee_id: id, waived_at: formatInstant(cell.now), support_user_id: waivedBy },
  });
}

/** Publishes the charge `entry` as a fee of the older calculator's run. */
export function applyCalculatedFee(run: FeeRun, entry: LedgerEntry) {
  run.applied++;
  return occurrence('late_payment_fee_calculator_fee_applied', run.account.number, {
    v1: { ...name(run), charge_id: String(entry.id) },
  });
}

function name({ id, account }: FeeRun) {
  return { run_id: id, account_number: account.number };
}

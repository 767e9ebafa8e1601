import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { rebateDeclineReasons, rebateTypes } from '../vocabulary/billing.js';

export type RebateType = keyof typeof rebateTypes;
export type DeclineReason = keyof typeof rebateDeclineReasons;

/** An account's application for a rebate. Its scheme runs from its first to its last day. */
export interface Rebate {
  readonly id: number;
  readonly account: Account;
  readonly type: RebateType;
  readonly from: Day;
  readonly to: Day;
  /** Whether the application meets what the scheme asks for, as far as it has been looked at. */
  isAccepted: boolean;
}

export function applyForRebate(
  cell: Cell,
  account: Account,
  scheme: Pick<Rebate, 'type' | 'from' | 'to'>,
): { rebate: Rebate; created: Occurrence } {
  const rebate: Rebate = { ...scheme, id: cell.ids.integer('rebate period'), account, isAccepted: false };
  const created = occurrence('billing.rebate.created', account.number, {
    v1: { ...describe(rebate), is_application_accepted: rebate.isAccepted },
  });
  return { rebate, created };
}

/** The application has been looked at. */
export function reviewRebate(rebate: Rebate, isAccepted: boolean): Occurrence {
  rebate.isAccepted = isAccepted;
  return occurrence('billing.rebate.updated', rebate.account.number, {
    v1: { ...describe(rebate), is_application_accepted: isAccepted },
  });
}

export function acceptRebate(rebate: Rebate): Occurrence {
  rebate.isAccepted = true;
  return occurrence('billing.rebate.accepted', rebate.account.number, { v1: describe(rebate) });
}

export function declineRebate(rebate: Rebate, reason: DeclineReason): Occurrence {
  rebate.isAccepted = false;
  return occurrence('billing.rebate.declined', rebate.account.number, {
    v1: { ...describe(rebate), decline_reason: reason },
  });
}

function describe({ id, account, type, from, to }: Rebate) {
  return {
    account_number: account.number,
    rebate_period_id: id,
    rebate_type: type,
    effective_from: formatDay(from),
    effective_to: formatDay(to),
  };
}

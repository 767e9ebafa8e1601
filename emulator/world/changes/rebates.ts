import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { rebateTypes } from '../vocabulary/billing.js';

export type RebateType = keyof typeof rebateTypes;

/** An account's application for a rebate. Both days belong to the scheme. Key of its events: account number. */
interface Rebate {
  readonly id: number;
  readonly account: Account;
  readonly type: RebateType;
  readonly from: Day;
  readonly to: Day;
}

export function applyForRebate(
  cell: Cell,
  account: Account,
  scheme: Pick<Rebate, 'type' | 'from' | 'to'>,
): { rebate: Rebate; created: Occurrence } {
  const rebate: Rebate = { ...scheme, id: cell.ids.integer('rebate period'), account };
  const created = occurrence('billing.rebate.created', account.number, {
    v1: { ...describe(rebate), is_application_accepted: false },
  });
  return { rebate, created };
}

/** Publishes a review of the application. */
export function reviewRebate(rebate: Rebate, isAccepted: boolean): Occurrence {
  return occurrence('billing.rebate.updated', rebate.account.number, {
    v1: { ...describe(rebate), is_application_accepted: isAccepted },
  });
}

export function acceptRebate(rebate: Rebate): Occurrence {
  return occurrence('billing.rebate.accepted', rebate.account.number, { v1: describe(rebate) });
}

export function declineRebate(rebate: Rebate, reason: string): Occurrence {
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

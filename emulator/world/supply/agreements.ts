import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant } from '../../engine/time.js';
import { type Account, type Agreement, type Cell, newAgreement, type SupplyPoint } from '../cell.js';
import { endOf, localMidnight, openEnd } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { brandOfProduct, endOfTerm, successorOf } from '../products/choices.js';

/** Creates an agreement on a product for the supply point from that day on, for the product's term if it has one. */
export function createAgreement(
  cell: Cell,
  account: Account,
  supply: { readonly supplyPoint: SupplyPoint; readonly product: string; readonly from: Day },
): { agreement: Agreement; created: Occurrence } {
  const agreement = newAgreement(cell.ids, supply.supplyPoint, supply.product, supply.from);
  agreement.to = endOfTerm(agreement.product, agreement.from);
  account.agreements.push(agreement);
  const created = occurrence('agreement.created', account.number, {
    v1: {
      agreement_id: agreement.id,
      account_number: account.number,
      valid_from: localMidnight(agreement.from),
      product_code: agreement.product,
    },
  });
  return { agreement, created };
}

/** Ends the agreement on that day. */
export function terminateAgreement(account: Account, agreement: Agreement, on: Day): Occurrence {
  return end(account, agreement, 'terminated', on);
}

/** Ends the agreement of a leaving supply point: terminates it if it has begun by that day, or revokes it. */
export function endAgreement(account: Account, agreement: Agreement, on: Day) {
  const begun = agreement.from < on;
  return begun ? terminateAgreement(account, agreement, on) : revokeAgreement(account, agreement);
}

/**
 * Returns the supply point's agreements that are in force on that day or begin after it. A home without supply feeds
 * nothing back: the agreements of its electricity include those for export.
 */
export function agreementsBeyond(account: Account, supplyPoint: SupplyPoint, date: Day): Agreement[] {
  const { market, place } = supplyPoint;
  return account.agreements.filter(
    ({ supplyPoint: its, from, to }) =>
      (its === supplyPoint || (its.isExport && its.market === market && its.place === place)) &&
      (to === undefined || (to > date && to > from)),
  );
}

/** Whether an account that ended supply on a day has been supplied after it, and is not any more. */
export function hasLeftSince({ today }: Cell, { agreements }: Account, ended: Day): boolean {
  const ends = agreements
    .filter(({ from, to }) => to === undefined || to > from)
    .map(({ to = Infinity }) => to);
  const last = Math.max(...ends);
  return last > ended && last <= today;
}

/** Creates an agreement on the present product of the same line, from the day on which the other was ended. */
export function resumeAgreement(cell: Cell, account: Account, ended: Agreement, from: Day) {
  const { supplyPoint } = ended;
  return createAgreement(cell, account, { supplyPoint, product: successorOf(ended.product, from), from });
}

/** Moves the end of the agreement; `undefined` leaves it open. */
export function moveEnd(account: Account, agreement: Agreement, to: Day | undefined) {
  const changes = { valid_to: { old: endOf(agreement.to), new: endOf(to) } };
  agreement.to = to;
  return updated(account, agreement, changes, false);
}

export function correctProduct(
  cell: Cell,
  account: Account,
  agreement: Agreement,
  { product, isOverride }: { readonly product: string; readonly isOverride: boolean },
) {
  const changes = { product_code: { old: agreement.product, new: product } };
  agreement.corrected ??= { product: agreement.product, on: cell.today };
  agreement.product = product;
  return updated(account, agreement, changes, isOverride);
}

/** Publishes that the next agreement follows an expiring one. */
export function rollOver(account: Account, expiring: Agreement, next: Agreement) {
  return occurrence('agreement.rollover.completed', account.number, {
    v1: {
      account_number: account.number,
      supply_point_id: String(next.supplyPoint.id),
      expiring_agreement_id: expiring.id,
      rolled_on_to_agreement_id: next.id,
      new_product: {
        code: next.product,
        market_name: next.supplyPoint.market,
        brand_code: brandOfProduct(next.product),
      },
      rolled_on_to_agreement_valid_from: formatDay(next.from),
      rolled_on_to_agreement_valid_to: next.to === undefined ? openEnd : formatDay(next.to),
    },
  });
}

/** Revokes the agreement from its beginning. */
export function revokeAgreement(account: Account, agreement: Agreement) {
  return end(account, agreement, 'revoked', agreement.from);
}

function end({ number }: Account, agreement: Agreement, how: 'terminated' | 'revoked', on: Day) {
  agreement.to = on;
  const v1 = { agreement_id: agreement.id };
  return occurrence(`agreement.${how}`, number, { v1, v2: { ...v1, account_number: number } });
}

export function assignLedger(cell: Cell, account: Account, agreement: Agreement) {
  return occurrence('billing.charging-ledger.assigned-to-agreement', account.number, {
    v1: {
      ledger_number: account.ledger.number,
      agreement_id: agreement.id,
      assigned_at: formatInstant(cell.now),
    },
  });
}

function updated(
  account: Account,
  agreement: Agreement,
  changes: Readonly<Record<string, { readonly old: string; readonly new: string }>>,
  isOverride: boolean,
) {
  const v1 = { agreement_id: agreement.id, changes, is_override: isOverride };
  return occurrence('agreement.updated', account.number, {
    v1,
    v2: { ...v1, account_number: account.number },
  });
}

import type { Occurrence } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import { type Account, type Agreement, type Cell, newAgreement, type SupplyPoint } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';

/** Puts the supply point on a product from that day on. */
export function createAgreement(
  cell: Cell,
  account: Account,
  supply: { readonly supplyPoint: SupplyPoint; readonly product: string; readonly from: Day },
): { agreement: Agreement; created: Occurrence } {
  const agreement = newAgreement(cell.ids, supply.supplyPoint, supply.product, supply.from);
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
  agreement.to = on;
  return occurrence('agreement.terminated', account.number, {
    v1: { agreement_id: agreement.id },
    v2: { agreement_id: agreement.id, account_number: account.number },
  });
}

import type { Occurrence } from '../../engine/scenario.js';
import type { BillingOptions, Books } from '../books.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { emailsOf } from './accounts.js';

/** Bills are made on another day of the month from now on. `staffId` is whoever entered it. */
export function changeBillDay(
  cell: Cell,
  { number }: Account,
  books: Books,
  { day, staffId }: { readonly day: number; readonly staffId: number },
): Occurrence {
  const previous = books.options;
  books.options = { id: cell.ids.integer('billing options'), day };
  return occurrence('billing.billing_options.updated', number, {
    v1: {
      account_number: number,
      previous_billing_options_id: previous.id,
      new_billing_options_id: books.options.id,
      support_user_id: staffId,
    },
  });
}

/** The account's record names its new billing options. */
export function recordBillingOptions(
  account: Account,
  previous: BillingOptions,
  { options }: Books,
): Occurrence {
  return occurrence('account.updated', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      changes: { billing_options: { old: previous, new: options } },
      is_override: false,
    },
  });
}

import type { Occurrence } from '../../engine/scenario.js';
import type { Books } from '../books.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** Changes the bill day of the account. `enteredBy` is the id of a member of staff. */
export function changeBillDay(
  cell: Cell,
  { number }: Account,
  books: Books,
  { day, enteredBy }: { readonly day: number; readonly enteredBy: number },
): Occurrence {
  const previous = books.options;
  books.options = { id: cell.ids.integer('billing options'), day };
  return occurrence('billing.billing_options.updated', number, {
    v1: {
      account_number: number,
      previous_billing_options_id: previous.id,
      new_billing_options_id: books.options.id,
      support_user_id: enteredBy,
    },
  });
}

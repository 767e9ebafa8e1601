import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { emailsOf } from './accounts.js';

/** The last bill of an account that has left. */
export function issueFinalBill(cell: Cell, account: Account): Occurrence {
  return occurrence('billing.final_bill', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      statement_id: cell.ids.integer('statement'),
    },
  });
}

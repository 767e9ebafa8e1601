import type { Occurrence } from '../../engine/scenario.js';
import type { Bill, Books } from '../books.js';
import type { Account } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { emailsOf } from './accounts.js';

/** Issues the last bill of an account that has left. */
export function issueFinalBill(account: Account, books: Books, bill: Bill): Occurrence {
  books.bills.push(bill);
  return occurrence('billing.final_bill', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      statement_id: bill.id,
    },
  });
}

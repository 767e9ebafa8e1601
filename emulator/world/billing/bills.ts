import { type Day, formatDay, formatInstant } from '../../engine/time.js';
import type { Bill, Books } from './dues.js';
import type { Account, Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { systemUser } from '../staff.js';
import { type ExternalStatus, externalStatuses, type HoldCode, type rebateTypes } from './words.js';
import { emailsOf } from '../customer/accounts.js';

// Key of all these events: account number, even if the payload lacks it.

/** An attempt to run the billing steps. Retries keep the trigger. */
interface Traversal {
  readonly trigger: number;
  readonly attempt: number;
}

export function startTraversal(cell: Cell, failed?: Traversal): Traversal {
  return {
    trigger: failed?.trigger ?? cell.ids.integer('traversal trigger'),
    attempt: cell.ids.integer('traversal attempt'),
  };
}

export function failTraversal(
  cell: Cell,
  { number }: Account,
  { pathway }: Books,
  { trigger, attempt, error }: Traversal & { readonly error: string },
) {
  return occurrence('billing.pathway_traversal.failed', number, {
    v1: {
      pathway_id: pathway,
      traversal_attempt_id: attempt,
      traversal_attempt_context: { account_number: number },
      trigger_id: trigger,
      failed_action_name: 'issue_statement',
      failed_action_error: error,
      failed_at: formatInstant(cell.now),
    },
  });
}

export function succeedTraversal(
  cell: Cell,
  { number }: Account,
  { pathway }: Books,
  { trigger, attempt }: Traversal,
) {
  return occurrence('billing.pathway_traversal.succeeded', number, {
    v1: {
      pathway_id: pathway,
      traversal_attempt_id: attempt,
      trigger_id: trigger,
      succeeded_at: formatInstant(cell.now),
    },
  });
}

export function holdBill(cell: Cell, { number }: Account, bill: Bill, code: HoldCode, isStrict: boolean) {
  return occurrence('billing.billing_document.held', number, {
    v1: {
      account_number: number,
      document_type: 'STATEMENT',
      document_id: bill.id,
      document_identifier: bill.identifier,
      document_uuid: bill.uuid,
      hold_code: code,
      is_strict: isStrict,
      held_at: formatInstant(cell.now),
      held_by_id: systemUser,
    },
  });
}

export function issueDocument({ number }: Account, books: Books, bill: Bill) {
  books.addBill(bill);
  const v1 = document(number, bill);
  return occurrence('billing.billing_document.issued', number, {
    v1,
    v2: { ...v1, billing_document_uuid: bill.uuid },
  });
}

export function announceBill({ number }: Account, bill: Bill) {
  return occurrence('billing.issued_bill', number, {
    v1: { account_number: number, statement_id: bill.id },
  });
}

export function dispatchBill(cell: Cell, { number }: Account, bill: Bill) {
  const v1 = document(number, bill);
  const v2 = {
    ...v1,
    billing_document_representation_dispatch_id: cell.ids.integer('dispatch'),
    billing_document_representations_id: [cell.ids.integer('representation')],
  };
  return occurrence('billing.billing_document_representation.dispatched', number, {
    v1,
    v2,
    v3: { ...v2, support_user_id: systemUser },
  });
}

/** Publishes the print house's report on the bill. */
export function reportDelivery(cell: Cell, { number }: Account, bill: Bill, status: ExternalStatus) {
  return occurrence('billing.issuance.external_status.created', number, {
    v1: {
      billing_document_identifier: bill.identifier,
      status,
      status_code: externalStatuses[status],
      external_status_id: cell.ids.integer('external status'),
    },
  });
}

export function bounceBillEmail(cell: Cell, { number }: Account, user: User) {
  return occurrence('comms.customer_email_bounced', number, {
    v1: {
      account_number: number,
      user_id: user.id,
      message_id: cell.ids.integer('message'),
      template_code: 'BILL_READY',
      bounced_at: formatInstant(cell.now),
    },
  });
}

function document(accountNumber: string, bill: Bill) {
  return {
    account_number: accountNumber,
    billing_document_id: bill.id,
    billing_document_identifier: bill.identifier,
  };
}

/** Publishes that the bill is the last one of an account that has left. */
export function announceFinalBill(account: Account, bill: Bill) {
  return occurrence('billing.final_bill', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      statement_id: bill.id,
    },
  });
}

/** Changes the bill day of the account. `enteredBy` is the id of a member of staff. */
export function changeBillDay(
  cell: Cell,
  { number }: Account,
  books: Books,
  { day, enteredBy }: { readonly day: number; readonly enteredBy: number },
) {
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

export type RebateType = keyof typeof rebateTypes;

/** An account's application for a rebate. Both days belong to the scheme. Key of its events: account number. */
interface Rebate {
  readonly id: number;
  readonly account: Account;
  readonly type: RebateType;
  readonly from: Day;
  readonly to: Day;
}

export function applyForRebate(cell: Cell, account: Account, scheme: Pick<Rebate, 'type' | 'from' | 'to'>) {
  const rebate: Rebate = { ...scheme, id: cell.ids.integer('rebate period'), account };
  const created = occurrence('billing.rebate.created', account.number, {
    v1: { ...describe(rebate), is_application_accepted: false },
  });
  return { rebate, created };
}

export function reviewRebate(rebate: Rebate, isAccepted: boolean) {
  return occurrence('billing.rebate.updated', rebate.account.number, {
    v1: { ...describe(rebate), is_application_accepted: isAccepted },
  });
}

export function acceptRebate(rebate: Rebate) {
  return occurrence('billing.rebate.accepted', rebate.account.number, { v1: describe(rebate) });
}

export function declineRebate(rebate: Rebate, reason: string) {
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

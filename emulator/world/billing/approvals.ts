import { formatInstant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { approvalProcesses } from './words.js';

type ApprovalProcess = keyof typeof approvalProcesses;

/**
 * A change of an account that a second member of staff has to approve. Key of its events: account number, which most of
 * their payloads lack.
 */
export interface Approval {
  readonly id: string;
  readonly account: Account;
  readonly process: ApprovalProcess;
  /** Pence. */
  readonly amount: number;
  /** Ids of two members of staff. */
  readonly requestedBy: number;
  readonly assignedTo: number;
  /** Id of the request; undefined before its assignment. */
  request: string | undefined;
}

export function requestApproval(
  cell: Cell,
  asked: Pick<Approval, 'account' | 'process' | 'amount' | 'requestedBy' | 'assignedTo'>,
) {
  const approval: Approval = { ...asked, id: cell.ids.uuid('approval'), request: undefined };
  const created = occurrence('approvals.approval.created', approval.account.number, {
    v1: {
      ...name(approval),
      requested_at: formatInstant(cell.now),
      assigned_to_id: approval.assignedTo,
      requested_by_id: approval.requestedBy,
    },
  });
  return { approval, created };
}

export function assignRequest(cell: Cell, approval: Approval) {
  approval.request = cell.ids.uuid('approval request');
  return occurrence('approvals.approval_request.assigned', approval.account.number, {
    v1: {
      ...nameRequest(approval),
      assigned_to_id: approval.assignedTo,
      assigned_at: formatInstant(cell.now),
    },
  });
}

export function approveRequest(cell: Cell, approval: Approval, reason: string) {
  return occurrence('approvals.approval_request.approved', approval.account.number, {
    v1: {
      ...nameRequest(approval),
      approved_by_id: approval.assignedTo,
      approved_at: formatInstant(cell.now),
      approval_reason: reason,
    },
  });
}

export function rejectRequest(cell: Cell, approval: Approval, reason: string) {
  return occurrence('approvals.approval_request.rejected', approval.account.number, {
    v1: {
      ...nameRequest(approval),
      rejected_by_id: approval.assignedTo,
      rejected_at: formatInstant(cell.now),
      rejection_reason: reason,
    },
  });
}

/** Approves the change after its request has been approved. */
export function approve(cell: Cell, approval: Approval) {
  return occurrence('approvals.approval.approved', approval.account.number, {
    v1: { ...name(approval), process_data: dataOf(approval), approved_at: formatInstant(cell.now) },
  });
}

export function reject(cell: Cell, approval: Approval) {
  return occurrence('approvals.approval.rejected', approval.account.number, {
    v1: { ...name(approval), process_data: dataOf(approval), rejected_at: formatInstant(cell.now) },
  });
}

function name({ id, process }: Approval) {
  return { approval_id: id, process_type: process };
}

function nameRequest(approval: Approval) {
  if (approval.request === undefined) throw new Error(`approval "${approval.id}" has no request yet`);
  return { ...name(approval), request_id: approval.request };
}

function dataOf({ account, amount }: Approval) {
  return { account_number: account.number, amount };
}

import { comparing } from './comparing.js';
import type { Invariant } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

export const approvalInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'approval-in-order',
    statement: 'An approval is created, assigned, then approved or rejected once, as its request was.',
    entity: 'approval',
    of: (event) => identifier(event, 'approval_id'),
    begins: { 'approvals.approval.created': 'open' },
    moves: {
      'approvals.approval_request.assigned': { from: ['open', 'agreed to'], to: 'open' },
      'approvals.approval_request.approved': { from: ['open'], to: 'agreed to' },
      'approvals.approval_request.rejected': { from: ['open'], to: 'refused' },
      'approvals.approval.approved': { from: ['agreed to'], to: 'approved' },
      'approvals.approval.rejected': { from: ['refused'], to: 'rejected' },
    },
  }),
  comparing<string>({
    name: 'approved-by-somebody-else',
    statement: 'The approver of a request is not its requester.',
    entity: 'approval',
    of: (event) => identifier(event, 'approval_id'),
    see(event, before) {
      const requester = identifier(event, 'requested_by_id') ?? before;
      const isOwn = requester !== undefined && requester === identifier(event, 'approved_by_id');
      return { keep: requester, what: isOwn && 'is approved by its requester' };
    },
  }),
];

import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
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
  {
    name: 'approved-by-somebody-else',
    statement: 'The approver of a request is not its requester.',
    proof: 'stream',
    start: watchApprovers,
  },
];

function watchApprovers() {
  const requesters = new BoundedMap<string>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = identifier(event, 'approval_id');
    if (id === undefined) return noFindings;
    const requester = identifier(event, 'requested_by_id');
    if (requester !== undefined) requesters.set(id, requester);
    const approver = identifier(event, 'approved_by_id');
    if (approver === undefined || requesters.get(id) !== approver) return noFindings;
    return [{ event, entity: `approval "${id}"`, what: 'is approved by its requester' }];
  }
  return { see };
}

import type { Invariant } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

export const agreementInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'agreement-ends-once',
    statement:
      'An agreement is terminated at most once and revoked at most once. After its revocation it is not updated, terminated or assigned a ledger.',
    entity: 'agreement',
    of: (event) => identifier(event, 'agreement_id'),
    begins: { 'agreement.created': 'in force' },
    moves: {
      'agreement.updated': { from: ['in force', 'terminated'] },
      'billing.charging-ledger.assigned-to-agreement': { from: ['in force', 'terminated'] },
      'agreement.terminated': { from: ['in force'], to: 'terminated' },
      'agreement.revoked': { from: ['in force', 'terminated'], to: 'revoked' },
    },
  }),
];

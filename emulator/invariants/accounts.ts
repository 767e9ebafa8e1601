import type { EventType } from 'busbar/catalogue';
import { beginning } from './beginning.js';
import { comparing } from './comparing.js';
import type { Invariant, StreamEvent } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { asIdentifier, identifier, list, member } from './payload.js';

export const accountInvariants: readonly Invariant[] = [
  beginning({
    name: 'account-created-first',
    statement: 'No event mentions an account before its only `account.created`.',
    entity: 'account',
    created: 'account.created',
    mentions: accountsNamed,
  }),
  beginning({
    name: 'user-created-first',
    statement: 'No event mentions a user before their only `account_user.created`.',
    entity: 'user',
    created: 'account_user.created',
    mentions: (event) => [
      identifier(event, 'user_number'),
      identifier(event, 'latest_contacted_account_user_number'),
      identifier(event, 'user_id'),
    ],
  }),
  beginning({
    name: 'agreement-created-first',
    statement: 'No event mentions an agreement before its only `agreement.created`.',
    entity: 'agreement',
    created: 'agreement.created',
    mentions: (event) => [
      identifier(event, 'agreement_id'),
      identifier(event, 'expiring_agreement_id'),
      identifier(event, 'rolled_on_to_agreement_id'),
      ...list(event, 'agreements').map((agreement) => asIdentifier(member(agreement, 'id'))),
    ],
  }),
];

/** Returns the numbers of the accounts in the payload of an event. */
export function accountsNamed(event: Pick<StreamEvent, 'payload'>): (string | undefined)[] {
  return [
    identifier(event, 'account_number'),
    identifier(event, 'ledger', 'account', 'number'),
    identifier(event, 'live_chat_conversation', 'account_number'),
    ...list(event, 'linked_accounts').map((account) => asIdentifier(member(account, 'number'))),
  ];
}

export const permissionInvariants: readonly Invariant[] = [
  // Remembers the permission of an account.
  comparing<string>({
    name: 'read-permission-changes',
    statement:
      'An event about the permission to read smart meters has another permission than before, and names that one.',
    entity: 'account',
    of: (event) =>
      event.type === 'account.smart-meter-read-permission-changed'
        ? identifier(event, 'account_number')
        : undefined,
    see(event, before) {
      const [old, keep] = [identifier(event, 'old_permission'), identifier(event, 'new_permission')];
      if (old === keep) return { keep, what: 'changes its permission to what it was' };
      return { keep, what: before !== undefined && before !== old && 'had another permission before' };
    },
  }),
];

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

export const roleInvariants: readonly Invariant[] = [
  role('partner', 'customer_access.partner_roles.created'),
  role('partner-user', 'customer_access.partner_user_roles.created'),
  role('user', 'customer_access.user_roles.created'),
];

function role(whose: string, created: EventType): Invariant {
  const family = created.slice(0, -'created'.length);
  return beginning({
    name: `${whose}-role-created-first`,
    statement: `A code of \`${family.slice(0, -1)}\` is created once, and updated only after that.`,
    entity: `${whose.replace('-', ' ')} role`,
    created,
    mentions: (event) => (event.type.startsWith(family) ? [identifier(event, 'code')] : []),
  });
}

import { beginning } from './beginning.js';
import type { Invariant, StreamEvent } from './invariant.js';
import { asIdentifier, identifier, list, member } from './payload.js';

export const accountInvariants: readonly Invariant[] = [
  beginning({
    name: 'account-created-first',
    statement: 'No event mentions an account before its only `account.created`.',
    entity: 'account',
    created: 'account.created',
    mentions: (event) => [
      identifier(event, 'account_number'),
      identifier(event, 'ledger', 'account', 'number'),
      identifier(event, 'live_chat_conversation', 'account_number'),
      ...linkedAccounts(event),
    ],
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

function linkedAccounts(event: StreamEvent): (string | undefined)[] {
  return list(event, 'linked_accounts').map((account) => asIdentifier(member(account, 'number')));
}

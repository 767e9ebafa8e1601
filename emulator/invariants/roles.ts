import type { EventType } from 'busbar/catalogue';
import { beginning } from './beginning.js';
import type { Invariant } from './invariant.js';
import { identifier } from './payload.js';

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

import { randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Account, type Cell, newUser, type User } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** Returns the account's second user. An account with one user gets a second one from before the run. */
export function secondUserOf(cell: Cell, account: Account): User {
  const known = account.users[1];
  if (known !== undefined) return known;
  const user = newUser(cell.ids, randomStream(cell.seed, account.number, 'second user'), account);
  account.users.push(user);
  return user;
}

/** Removes the user's role in the account's loyalty points. Key: user number. */
export function removeLoyaltyRole(user: User, account: Account): Occurrence {
  return occurrence('loyalty-points.user-role-removal', user.number, {
    v1: { user_id: user.id, account_id: account.id },
  });
}

/** Removes the user's access to the account, which `linked_accounts` names. Key: user number. */
export function removeUser(user: User, account: Account): Occurrence {
  account.users.splice(account.users.indexOf(user), 1);
  user.accounts.splice(user.accounts.indexOf(account), 1);
  return occurrence('account_user.removed', user.number, {
    v1: {
      user_id: user.id,
      user_email: user.email,
      user_number: user.number,
      linked_accounts: [{ number: account.number, status: account.status }],
      initiator_type: 'SUPPORT_USER',
      is_customer_initiated: false,
    },
  });
}

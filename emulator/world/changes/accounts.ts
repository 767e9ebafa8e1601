import type { Occurrence } from '../../engine/scenario.js';
import type { RandomStream } from '../../engine/random.js';
import { type Account, type Cell, newAccount, newUser, type User } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** Opens an account. Without a user it is a home whose occupier is not known. */
export function openAccount(cell: Cell, user?: User): { account: Account; opened: Occurrence } {
  const account = newAccount(cell.ids);
  if (user !== undefined) account.users.push(user);
  cell.accounts.push(account);
  const opened = occurrence('account.created', account.number, {
    v1: { account_number: account.number, account_user_emails: emailsOf(account), is_imported: false },
  });
  return { account, opened };
}

/** Links the user to one account more. */
export function linkAccount(user: User, account: Account): Occurrence {
  const before = linksOf(user);
  user.accounts.push(account);
  const after = linksOf(user);
  return occurrence('account_user.updated', user.number, {
    v1: {
      user_id: user.id,
      user_email: user.email,
      user_number: user.number,
      linked_accounts: after,
      is_customer_initiated: true,
      initiator_type: 'ACCOUNT_USER',
      changes: { linked_accounts: { old: before, new: after } },
      is_override: false,
    },
  });
}

/** The occupier of a home whose account had no name so far makes themselves known. */
export function occupyAccount(account: Account): Occurrence {
  return occurrence('account.occupied', account.number, { v1: { account_number: account.number } });
}

/** Somebody new gets access to the account. */
export function addUser(cell: Cell, account: Account, random: RandomStream): Occurrence {
  const user = newUser(cell.ids, random, account);
  account.users.push(user);
  return occurrence('account_user.created', user.number, {
    v1: {
      user_id: user.id,
      user_email: user.email,
      user_number: user.number,
      linked_accounts: linksOf(user),
      initiator_type: 'SUPPORT_USER',
      is_customer_initiated: false,
    },
  });
}

export function emailsOf(account: Account): string[] {
  return account.users.map((user) => user.email);
}

export function linksOf(user: User): { number: string; status: string }[] {
  return user.accounts.map(({ number, status }) => ({ number, status }));
}

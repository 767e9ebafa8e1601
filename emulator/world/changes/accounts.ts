import type { Occurrence } from '../../engine/scenario.js';
import type { RandomStream } from '../../engine/random.js';
import type { Day } from '../../engine/time.js';
import {
  type Account,
  type Cell,
  newAccount,
  newUser,
  type User,
  newOccupancy,
  type Property,
} from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { ActorType, ReactivationSource } from '../vocabulary/accounts.js';

/**
 * Opens an account: a new one, or one that has been asked for and has had its number since. Without a user it is a home
 * whose occupier is not known.
 */
export function openAccount(
  cell: Cell,
  user?: User,
  account: Account = newAccount(cell.ids),
): { account: Account; opened: Occurrence } {
  if (user !== undefined) account.users.push(user);
  cell.accounts.push(account);
  const opened = occurrence('account.created', account.number, {
    v1: { account_number: account.number, account_user_emails: emailsOf(account), is_imported: false },
  });
  return { account, opened };
}

/** Opens an account for whoever lives in a home that a customer has left: there is supply, and no name yet. */
export function openOccupierAccount(
  cell: Cell,
  property: Property,
  from: Day,
): { account: Account; opened: Occurrence } {
  const { account, opened } = openAccount(cell);
  account.occupancies.push(newOccupancy(cell.ids, property, from));
  return { account, opened };
}

/** Whom an account is opened for. */
export interface Enrolment {
  /** How many people, where nobody says who they are. */
  readonly customers?: number;
  readonly people?: readonly Pick<User, 'name' | 'email'>[];
  readonly isImported?: boolean;
}

/** Opens an account for somebody new. It is `PENDING` until their supply begins. */
export function enrolAccount(
  cell: Cell,
  random: RandomStream,
  { customers = 1, people = [], isImported = false }: Enrolment = {},
): { account: Account; users: readonly User[]; opened: Occurrence } {
  const account = newAccount(cell.ids);
  account.status = 'PENDING';
  for (let nth = 0; nth < Math.max(customers, people.length); nth++) {
    account.users.push(Object.assign(newUser(cell.ids, random, account), people[nth]));
  }
  cell.accounts.push(account);
  const opened = occurrence('account.created', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      is_imported: isImported,
    },
  });
  return { account, users: account.users, opened };
}

/** An account that was closed comes back. */
export function reactivateAccount(account: Account, source: ReactivationSource): Occurrence {
  const previous = account.status;
  account.status = 'ACTIVE';
  return occurrence('account.reactivated', account.number, {
    v1: {
      account_number: account.number,
      previous_status: previous,
      reactivation_source: source,
    },
  });
}

/** Says what about the account is different now; `changes` has a member for each field that is. */
export function updateAccount(
  account: Account,
  changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>,
): Occurrence {
  return occurrence('account.updated', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      changes,
      is_override: false,
    },
  });
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
  return registerUser(user, 'SUPPORT_USER');
}

/** Somebody who came with their account can log in from now on. */
export function registerUser(user: User, initiator: ActorType): Occurrence {
  return occurrence('account_user.created', user.number, {
    v1: {
      user_id: user.id,
      user_email: user.email,
      user_number: user.number,
      linked_accounts: linksOf(user),
      initiator_type: initiator,
      is_customer_initiated: initiator === 'ACCOUNT_USER',
    },
  });
}

export function emailsOf(account: Account): string[] {
  return account.users.map((user) => user.email);
}

export function linksOf(user: User): { number: string; status: string }[] {
  return user.accounts.map(({ number, status }) => ({ number, status }));
}

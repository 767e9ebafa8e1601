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
import { cellState } from '../cell-state.js';
import { occurrence } from '../occurrence.js';
import type { ReactivationSource } from './words.js';

/** Opens an account, by default a new one. An account without a user belongs to an unknown occupier. */
export function openAccount(cell: Cell, user?: User, account: Account = newAccount(cell.ids)) {
  if (user !== undefined) account.users.push(user);
  return { account, opened: addAccount(cell, account, false) };
}

/** Opens an account for the unknown occupier of a home that a customer has left. */
export function openOccupierAccount(cell: Cell, property: Property, from: Day) {
  const { account, opened } = openAccount(cell);
  account.occupancies.push(newOccupancy(cell.ids, property, from));
  return { account, opened };
}

/** Accounts whose unknown occupier will be identified within weeks. */
export const awaitedOccupiers = cellState<Set<Account>>(() => new Set());

interface Enrolment {
  /** Number of people with drawn names. Default 1. */
  readonly customers?: number;
  readonly people?: readonly Pick<User, 'name' | 'email'>[];
  readonly isImported?: boolean;
}

/** Opens an account for new customers. It is `PENDING` until their supply begins. */
export function enrolAccount(
  cell: Cell,
  random: RandomStream,
  { customers = 1, people = [], isImported = false }: Enrolment = {},
) {
  const account = newAccount(cell.ids);
  account.status = 'PENDING';
  for (let nth = 0; nth < Math.max(customers, people.length); nth++) {
    account.users.push(Object.assign(newUser(cell.ids, random, account), people[nth]));
  }
  return { account, users: account.users, opened: addAccount(cell, account, isImported) };
}

function addAccount(cell: Cell, account: Account, isImported: boolean) {
  cell.accounts.push(account);
  const { number } = account;
  return occurrence('account.created', number, {
    v1: { account_number: number, account_user_emails: emailsOf(account), is_imported: isImported },
  });
}

export function reactivateAccount(account: Account, source: ReactivationSource) {
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

/** Publishes an update of the account, with the old and the new value of each changed field. */
export function updateAccount(
  account: Account,
  changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>,
) {
  return occurrence('account.updated', account.number, {
    v1: {
      account_number: account.number,
      account_user_emails: emailsOf(account),
      changes,
      is_override: false,
    },
  });
}

export function linkAccount(user: User, account: Account) {
  const { linked_accounts: before } = describeUser(user);
  user.accounts.push(account);
  const after = describeUser(user);
  return occurrence('account_user.updated', user.number, {
    v1: {
      ...after,
      is_customer_initiated: true,
      initiator_type: 'ACCOUNT_USER',
      changes: { linked_accounts: { old: before, new: after.linked_accounts } },
      is_override: false,
    },
  });
}

/** Publishes that the unknown occupier of the account has been identified. */
export function occupyAccount(account: Account) {
  return occurrence('account.occupied', account.number, { v1: { account_number: account.number } });
}

export function addUser(cell: Cell, account: Account, random: RandomStream) {
  const user = newUser(cell.ids, random, account);
  account.users.push(user);
  return registerUser(user, 'SUPPORT_USER');
}

export function registerUser(user: User, initiator: 'ACCOUNT_USER' | 'SUPPORT_USER' | 'DATA_IMPORT') {
  return occurrence('account_user.created', user.number, {
    v1: {
      ...describeUser(user),
      initiator_type: initiator,
      is_customer_initiated: initiator === 'ACCOUNT_USER',
    },
  });
}

export function emailsOf(account: Account): string[] {
  return account.users.map((user) => user.email);
}

/** Returns what events about a user begin with. @param accounts Default: those of the user. */
export function describeUser(user: User, accounts: readonly Account[] = user.accounts) {
  return {
    user_id: user.id,
    user_email: user.email,
    user_number: user.number,
    linked_accounts: accounts.map(({ number, status }) => ({ number, status })),
  };
}

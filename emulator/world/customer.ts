import type { Account, Cell, Occupancy, User } from './cell.js';

/** A user with an active account. */
export interface Customer {
  readonly account: Account;
  readonly user: User;
}

/** Returns the first user of the cell's first active account, or undefined if there is none. */
export function customerOf(cell: Cell): Customer | undefined {
  for (const account of cell.accounts) {
    const [user] = account.users;
    if (account.status === 'ACTIVE' && user !== undefined) return { account, user };
  }
  return undefined;
}

/** Returns the account's current occupancy, or undefined if it has none. */
export function homeOf({ occupancies }: Account): Occupancy | undefined {
  return occupancies.find(({ to }) => to === undefined);
}

import type { Account, Cell, Occupancy, User } from './cell.js';

/** Somebody with an account in use. */
export interface Customer {
  readonly account: Account;
  readonly user: User;
}

/** Who speaks for the cell: the first user of its first active account; undefined when there is none (any more). */
export function customerOf(cell: Cell): Customer | undefined {
  for (const account of cell.accounts) {
    const [user] = account.users;
    if (account.status === 'ACTIVE' && user !== undefined) return { account, user };
  }
  return undefined;
}

/** Where the account lives now. */
export function homeOf({ occupancies }: Account): Occupancy | undefined {
  return occupancies.find(({ to }) => to === undefined);
}

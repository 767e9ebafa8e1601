import { cellState } from '../cell-state.js';
import type { Account, Cell, Occupancy, Property, User } from '../cell.js';

/** A user with an active account. */
export interface Customer {
  readonly account: Account;
  readonly user: User;
}

/** Returns the first user of the cell's first active account, or undefined if there is none or if they have died. */
export function customerOf(cell: Cell): Customer | undefined {
  if (cell.setting === 'executors') return undefined;
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

/**
 * Returns a home of the cell without a customer or a reservation, or undefined if there is none.
 *
 * @param mover Does not return to a home that this user has left.
 */
export function freeHome(cell: Cell, mover?: User): Property | undefined {
  const lived = cell.accounts.flatMap(({ occupancies, users }) => {
    const knows = mover !== undefined && users.includes(mover);
    return occupancies.filter(({ to }) => knows || to === undefined).map(({ property }) => property);
  });
  return cell.properties.find((property) => !lived.includes(property) && !reserved.of(cell).has(property));
}

export function reserveHome(cell: Cell, property: Property): void {
  reserved.of(cell).add(property);
}

/** Releases a reserved home when the account has joined, or will not. */
export function releaseHome(cell: Cell, property: Property): void {
  reserved.of(cell).delete(property);
}

const reserved = cellState<Set<Property>>(() => new Set());

/** Contact details of an imported user, next to the e-mail address. */
export interface ContactDetails {
  readonly mobile?: string;
  readonly landline?: string;
  /** `1970-01-31`. */
  readonly born?: string;
}

/** Addressee of an account's bills. */
interface BillingDetails {
  readonly name?: string;
  readonly addressLine1?: string;
  readonly postcode?: string;
}

export const contactDetails = new WeakMap<User, ContactDetails>();

export function setBillingDetails(account: Account, details: BillingDetails): void {
  billing.set(account, details);
}

/** Returns the billing details. The default name is that of the first customer, if there is one. */
export function billingDetailsOf(cell: Cell, account: Account): BillingDetails {
  const [holder] = account.users;
  const own = holder && `${holder.name.given} ${holder.name.family}`;
  const name = own && cell.setting === 'executors' ? `The Executors of ${own}` : (own ?? 'The Occupier');
  return { name, ...billing.get(account) };
}

const billing = new WeakMap<Account, BillingDetails>();

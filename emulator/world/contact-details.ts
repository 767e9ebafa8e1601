import type { Account, User } from './cell.js';

/** How somebody is reached, beside their e-mail address; only what somebody outside has said. */
export interface ContactDetails {
  readonly mobile?: string;
  readonly landline?: string;
  /** `1970-01-31`. */
  readonly born?: string;
}

/** Whom and where the bills of an account go to. */
export interface BillingDetails {
  readonly name?: string;
  readonly addressLine1?: string;
  readonly postcode?: string;
}

export function giveContactDetails(user: User, details: ContactDetails): void {
  contacts.set(user, details);
}

export function contactDetailsOf(user: User): ContactDetails {
  return contacts.get(user) ?? {};
}

export function giveBillingDetails(account: Account, details: BillingDetails): void {
  billing.set(account, details);
}

/** Without anything said about it bills are in the name of the first customer; undefined where there is none. */
export function billingDetailsOf(account: Account): BillingDetails {
  const [holder] = account.users;
  const name = holder && `${holder.name.given} ${holder.name.family}`;
  return { ...(name !== undefined && { name }), ...billing.get(account) };
}

const contacts = new WeakMap<User, ContactDetails>();
const billing = new WeakMap<Account, BillingDetails>();

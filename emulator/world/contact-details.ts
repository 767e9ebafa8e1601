import type { Account, User } from './cell.js';

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
export function billingDetailsOf(account: Account): BillingDetails {
  const [holder] = account.users;
  const name = holder && `${holder.name.given} ${holder.name.family}`;
  return { ...(name !== undefined && { name }), ...billing.get(account) };
}

const billing = new WeakMap<Account, BillingDetails>();

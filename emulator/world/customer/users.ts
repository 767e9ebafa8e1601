import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Cell, User } from '../cell.js';
import { billingDetailsOf, type Customer, setBillingDetails } from './customer.js';
import { occurrence } from '../occurrence.js';
import { emailAddress, personName } from './people.js';
import { describeUser, emailsOf, updateAccount } from './accounts.js';

/** Events about a change of details: of the user (key: user number) and of the account. */
interface DetailsChange {
  readonly ofUser: Occurrence;
  readonly ofAccount: () => Occurrence;
}

export function changeEmail(customer: Customer, random: RandomStream): DetailsChange {
  const { account, user } = customer;
  const old = user.email;
  const emailsBefore = emailsOf(account);
  const [local = ''] = old.split('@');
  const domains = ['example.com', 'example.org', 'example.net'].filter((domain) => !old.endsWith(domain));
  user.email = `${local}@${random.pick(domains)}`;
  return {
    ofUser: userUpdated(customer, { email: { old, new: user.email } }),
    ofAccount: () =>
      updateAccount(customer.account, { account_user_emails: { old: emailsBefore, new: emailsOf(account) } }),
  };
}

/** Changes the customer's family name, with the e-mail address and the billing name. */
export function changeName(cell: Cell, customer: Customer, random: RandomStream): DetailsChange {
  const { account, user } = customer;
  const before = user.name;
  const billed = billingDetailsOf(cell, account);
  let { family } = personName(random);
  if (family === before.family) family = `${family}-Hart`;
  const emailBefore = user.email;
  user.name = { given: before.given, family };
  user.email = emailAddress(user.name, user.number.slice(2), random);
  const billingName = `${before.given} ${family}`;
  setBillingDetails(account, { ...billed, name: billingName });
  return {
    ofUser: userUpdated(customer, {
      family_name: { old: before.family, new: family },
      email: { old: emailBefore, new: user.email },
    }),
    ofAccount: () =>
      updateAccount(customer.account, {
        billing_name: { old: billed.name, new: billingName },
      }),
  };
}

type Changes = Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;

function userUpdated({ user }: Customer, changes: Changes) {
  return occurrence('account_user.updated', user.number, {
    v1: {
      ...describeUser(user),
      initiator_type: 'ACCOUNT_USER',
      is_customer_initiated: true,
      changes,
      is_override: false,
    },
  });
}

/** Removes the user's role in the account's loyalty points. Key: user number. */
export function removeLoyaltyRole(user: User, account: Account) {
  return occurrence('loyalty-points.user-role-removal', user.number, {
    v1: { user_id: user.id, account_id: account.id },
  });
}

/** Removes the user's access to the account, which `linked_accounts` names. Key: user number. */
export function removeUser(user: User, account: Account) {
  account.users.splice(account.users.indexOf(user), 1);
  user.accounts.splice(user.accounts.indexOf(account), 1);
  return occurrence('account_user.removed', user.number, {
    v1: {
      ...describeUser(user, [account]),
      initiator_type: 'SUPPORT_USER',
      is_customer_initiated: false,
    },
  });
}

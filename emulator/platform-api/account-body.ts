import type { platformApi } from 'busbar/catalogue';
import { defined } from 'busbar/base';
import type { Account, Cell, User } from '../world/cell.js';
import { importBehind, type ImportProcess } from '../world/import/data-import.js';
import { notesAbout } from '../world/customer/metadata.js';
import { billingDetailsOf, contactDetails } from '../world/customer/customer.js';
import { pointsOf, propertyBody } from './property-body.js';

/** Returns the account as the REST API shows it, without revoked agreements and cancelled moves. */
export function accountBody(cell: Cell, account: Account): platformApi.Account {
  const lived = account.occupancies.filter(({ from, to }) => to !== from);
  const agreements = account.agreements.filter(({ from, to }) => to === undefined || to > from);
  const properties = cell.properties.filter(
    (property) =>
      lived.some((occupancy) => occupancy.property === property) ||
      agreements.some(({ supplyPoint }) => pointsOf(cell, property).includes(supplyPoint)),
  );
  return {
    number: account.number,
    status: account.status,
    customers: account.users.map(customerBody),
    ...billingBody(cell, account),
    metadata: [...notesAbout(cell, { account }).values()].map(({ key, value }) => ({ key, value })),
    ...importBody(importBehind(cell, account)),
    properties: properties.map((property) =>
      propertyBody(
        cell,
        property,
        lived.findLast((occupancy) => occupancy.property === property),
        agreements,
      ),
    ),
  };
}

function customerBody(user: User): platformApi.Customer {
  const { mobile, landline, born } = contactDetails.get(user) ?? {};
  return {
    number: user.number,
    given_name: user.name.given,
    family_name: user.name.family,
    email: user.email,
    ...defined({ mobile, landline, date_of_birth: born }),
  };
}

function billingBody(cell: Cell, account: Account) {
  const { name, addressLine1, postcode } = billingDetailsOf(cell, account);
  return defined({
    billing_name: name,
    billing_address_line_1: addressLine1,
    billing_postcode: postcode,
  });
}

/** Returns the fields of an imported account. */
function importBody(imported: ImportProcess | undefined) {
  const { supplier, accountType, salesChannel, notes = [], statements = [] } = imported ?? {};
  if (supplier === undefined) return {};
  return {
    import_supplier: supplier,
    ...defined({ account_type: accountType, sales_channel: salesChannel }),
    notes: notes.map(({ body, created_at, documents }) => ({
      body,
      ...defined({ created_at }),
      documents: [...documents],
    })),
    statements: statements.map((statement) => ({ ...statement })),
  };
}

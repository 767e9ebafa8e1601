import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { cellState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { companyForms, companyNames, legalAddress } from '../vocabulary/companies.js';
import { operationsTeamCount, staff } from '../vocabulary/platform.js';

/** A customer that is a company. Key of its events: its id. */
export interface Business {
  readonly id: number;
  name: string;
  /** Eight digits beyond those that were ever given out, unique in the world. */
  readonly companyNumber: string;
  /** The same for the company that the platform may found to make contracts with it. */
  readonly counterpartNumber: string;
}

/** What the cell's share of the company numbers allows: two numbers for each. */
const businessesPerCell = 2;

const businesses = cellState<Business[]>(() => []);

/** Enters a business of which little is known yet; undefined when the cell holds as many as it can. */
export function createBusiness(
  cell: Cell,
  random: RandomStream,
): { business: Business; created: Occurrence } | undefined {
  const known = businesses.of(cell);
  if (known.length >= businessesPerCell) return undefined;
  const id = cell.ids.integer('business');
  const first = 90_000_000 + (cell.index * businessesPerCell + known.length) * 2;
  const business: Business = {
    id,
    name: random.pick(companyNames),
    companyNumber: String(first),
    counterpartNumber: String(first + 1),
  };
  known.push(business);
  return { business, created: occurrence('business.created', String(id), { v1: { id } }) };
}

/** Enters what the register of companies says. */
export function completeBusiness(business: Business, random: RandomStream): Occurrence {
  const { id, name } = business;
  business.name = `${name} ${random.weighted(companyForms)}`;
  return occurrence('business.updated', String(id), {
    v1: {
      id,
      changes: {
        name: { old: name, new: business.name },
        company_number: { old: '', new: business.companyNumber },
      },
    },
  });
}

/** Is the business good for what it will owe? Key: the account that it asks for, as for every credit check. */
export function checkBusinessCredit(cell: Cell, { id }: Business, account: Account): Occurrence {
  return occurrence('credit_check.created', account.number, {
    v1: { check_id: cell.ids.uuid('credit check'), entity_type: 'BUSINESS', entity_id: String(id) },
  });
}

/** Gives the business to a team that looks after it. */
export function assignOperationsTeam({ id }: Business, random: RandomStream): Occurrence {
  return occurrence('business_operations_team.updated', String(id), {
    v1: { id, operations_team_id: random.integer(1, operationsTeamCount) },
  });
}

/** The platform gets a company of its own, to make contracts with. Key: the company's id. */
export function createInternalCompany(cell: Cell, { counterpartNumber }: Business): Occurrence {
  const id = cell.ids.uuid('internal company');
  const serial = cell.ids.integer('internal company');
  return occurrence('internal_company.created', id, {
    v1: {
      id,
      actor: { type: 'SYSTEM', id: staff.systemUser },
      displayable_number: `IC-${serial}`,
      name: `Emulator Energy ${serial} Ltd`,
      primary_registration_number: counterpartNumber,
      secondary_registration_number: '',
      primary_tax_identifier_number: `GB9${counterpartNumber}`,
      legal_address: legalAddress,
    },
  });
}

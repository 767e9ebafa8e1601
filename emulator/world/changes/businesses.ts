import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { cellState } from '../cell-state.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { companyForms, companyNames, legalAddress } from '../vocabulary/companies.js';
import { operationsTeamCount, staff } from '../vocabulary/platform.js';

/** A customer that is a company. Key of its events: its id. */
export interface Business {
  readonly id: number;
  name: string;
  companyNumber: string;
}

/** Companies that a cell can hold: what its share of the company numbers allows. */
export const companiesPerCell = 4;

const companies = cellState<{ count: number }>(() => ({ count: 0 }));

/** Whether the cell can take two companies more: a business, and one of the platform's own. */
export function hasRoomForCompanies(cell: Cell): boolean {
  return companies.of(cell).count + 2 <= companiesPerCell;
}

/** Enters a business of which little is known yet. */
export function createBusiness(
  cell: Cell,
  random: RandomStream,
): { business: Business; created: Occurrence } {
  const id = cell.ids.integer('business');
  const business: Business = { id, name: random.pick(companyNames), companyNumber: '' };
  return { business, created: occurrence('business.created', String(id), { v1: { id } }) };
}

/** Enters what the register of companies says. */
export function completeBusiness(cell: Cell, business: Business, random: RandomStream): Occurrence {
  const { id, name } = business;
  business.name = `${name} ${random.weighted(companyForms)}`;
  business.companyNumber = nextCompanyNumber(cell);
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

export function checkCredit(cell: Cell, { id }: Business): Occurrence {
  return occurrence('credit_check.created', String(id), {
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
export function createInternalCompany(cell: Cell): Occurrence {
  const id = cell.ids.uuid('internal company');
  const companyNumber = nextCompanyNumber(cell);
  const serial = cell.ids.integer('internal company');
  return occurrence('internal_company.created', id, {
    v1: {
      id,
      actor: { type: 'SYSTEM', id: staff.systemUser },
      displayable_number: `IC-${serial}`,
      name: `Emulator Energy ${serial} Ltd`,
      primary_registration_number: companyNumber,
      secondary_registration_number: '',
      primary_tax_identifier_number: `GB9${companyNumber}`,
      legal_address: legalAddress,
    },
  });
}

/** Eight digits beyond those that were ever given out, unique in the world. */
function nextCompanyNumber(cell: Cell): string {
  const nth = companies.of(cell).count++;
  if (nth >= companiesPerCell) throw new Error(`the cell holds more than ${companiesPerCell} companies`);
  return String(90_000_000 + cell.index * companiesPerCell + nth);
}

import type { RandomStream } from '../../engine/random.js';
import { cellState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { staff } from '../staff.js';

/** Operations teams for businesses are numbered from 1 to this. */
const operationsTeamCount = 12;

/** A business customer. Key of its events: the id. */
interface Business {
  readonly id: number;
  name: string;
  /** Eight digits, unique in the world and beyond all real company numbers. */
  readonly companyNumber: string;
  /** Company number of the internal company that may be created as its counterpart. */
  readonly counterpartNumber: string;
}

/** Maximum businesses of a cell. Each uses two company numbers. */
const businessesPerCell = 2;

const businesses = cellState<Business[]>(() => []);

/** Creates a business, or returns undefined if the cell has reached its maximum. */
export function createBusiness(cell: Cell, random: RandomStream) {
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

/** Completes the business from the register of companies. */
export function completeBusiness(business: Business, random: RandomStream) {
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

/** Checks the credit of the business. Key, as for every credit check: the number of its future account. */
export function checkBusinessCredit(cell: Cell, { id }: Business, account: Account) {
  return occurrence('credit_check.created', account.number, {
    v1: { check_id: cell.ids.uuid('credit check'), entity_type: 'BUSINESS', entity_id: String(id) },
  });
}

export function assignOperationsTeam({ id }: Business, random: RandomStream) {
  return occurrence('business_operations_team.updated', String(id), {
    v1: { id, operations_team_id: random.integer(1, operationsTeamCount) },
  });
}

/** Creates an internal company as the counterpart of contracts. Key: the company's id. */
export function createInternalCompany(cell: Cell, { counterpartNumber }: Business) {
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

const companyNames = [
  'Lantern Row Bakery',
  'Port Ashdown Joinery',
  'Nether Wickby Dairy',
  'Larkhaven Print Works',
  'Garrow and Quill Books',
  'Kestrel Cold Storage',
  'Tamblyn Marine',
  'Wickham Lane Garage',
] as const;

const companyForms = { Ltd: 0.8, LLP: 0.12, plc: 0.08 } as const;

/** Registered address of the platform's own companies. */
const legalAddress = {
  line1: '1 Busbar Yard',
  line2: '',
  town: 'Larkhaven',
  postcode: 'XC1 1AA',
} as const;

import {
  approvalProcesses,
  approvalReasons,
  attachmentCategories,
  funnels,
  rejectionReasons,
  stages,
} from '../../world/vocabulary/sales.js';
import { operationsTeamCount } from '../../world/vocabulary/platform.js';
import { accountNumber, address, user } from '../facts/household.js';
import { agent, approver } from '../facts/staff.js';
import { justNow } from '../facts/times.js';
import type { Subject } from '../subject.js';
import type { Area } from './area.js';

/** Leads, quotes, goods, approvals, businesses, affiliates. */
export const sales: Area = {
  fields: {
    lead_number: (s) => s.prefixed('LE'),
    lead_id: (s) => s.integer('lead'),
    opportunity_number: (s) => s.prefixed('OP'),
    quote_configuration_number: (s) => s.prefixed('QC'),
    quote_id: (s) => s.integer('quote'),
    purchase_id: (s) => s.integer('purchase'),
    funnel_code: (s) => s.random.weighted(funnels),
    stage: (s) => s.random.weighted(stages),
    updated_by_user_id: agent,
    attachment_id: (s) => s.integer('attachment'),
    category: (s) => s.random.pick(attachmentCategories),
    offer_group_identifier: (s) => s.uuid('offer group'),
    succeeded: (s) => s.random.chance(0.95),
    triggered_by_id: agent,
    client_params: () => ({ referrer: 'website', medium: 'search' }),
    contact_info: (s) => ({ name: fullName(s), email: user(s).email }),
    affiliate_account_contract_id: (s) => s.integer('affiliate account contract'),
    affiliate_contract_id: (s) => s.integer('affiliate contract'),

    approval_id: (s) => s.uuid('approval'),
    request_id: (s) => s.uuid('approval request'),
    process_type: (s) => s.once('approval process', (random) => random.weighted(approvalProcesses)),
    process_data: (s) => ({
      account_number: accountNumber(s),
      amount: s.once('approved amount', (random) => Math.floor(random.spread(500, 50_000))),
    }),
    requested_by_id: agent,
    assigned_to_id: approver,
    approved_by_id: approver,
    rejected_by_id: approver,
    approved_at: justNow,
    rejected_at: justNow,
    approval_reason: (s) => s.random.pick(approvalReasons),
    rejection_reason: (s) => s.random.pick(rejectionReasons),

    operations_team_id: (s) => s.random.integer(1, operationsTeamCount),
    displayable_number: (s) => `IC-${String(companyPlace(s)).padStart(4, '0')}`,
    primary_registration_number: (s) => String(companyPlace(s)).padStart(8, '0'),
    secondary_registration_number: () => '',
    primary_tax_identifier_number: (s) => `GB999${String(companyPlace(s)).padStart(6, '0')}`,
    actor: (s) => ({ type: 'SUPPORT_USER', id: agent(s) }),
    legal_address: (s) => {
      const { number, street, town, postcode } = address(s);
      return { line1: `${number} ${street}`, line2: '', town, postcode };
    },
  },
  events: {
    'business.*': {
      id: (s) => s.integer('business'),
      changes: () => ({ trading_name: { old: 'Larkhaven Bakery', new: 'Larkhaven Bakery and Tea Room' } }),
    },
    'business_operations_team.updated': { id: (s) => s.integer('business') },
    'internal_company.created': {
      id: (s) => s.uuid('internal company'),
      name: (s) => `Emulator Energy ${companyPlace(s)} Ltd`,
    },
  },
};

function companyPlace(subject: Subject): number {
  return subject.once('internal company', (random) => random.integer(1, 9_999));
}

function fullName(subject: Subject): string {
  const { given, family } = user(subject).name;
  return `${given} ${family}`;
}

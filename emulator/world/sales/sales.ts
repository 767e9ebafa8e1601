import type { RandomStream } from '../../engine/random.js';
import type { Account, Cell } from '../cell.js';
import type { Customer } from '../customer/customer.js';
import { occurrence } from '../occurrence.js';
import { emailAddress, personName } from '../customer/people.js';
import { funnels } from './words.js';

/** A potential sale. Key of its events: lead number, or account number if the event is about an account. */
export interface Lead {
  readonly id: number;
  readonly number: string;
  readonly funnel: string;
}

/** An offer that an agent prepares for a lead. */
export interface Opportunity {
  readonly lead: Lead;
  readonly number: string;
}

export function newLead(cell: Cell, funnel: string): Lead {
  return { id: cell.ids.integer('lead'), number: cell.ids.number('lead'), funnel };
}

export function moveLead({ number, funnel }: Lead, stage: (typeof leadStages)[number]) {
  return occurrence('leads.lead.stage-updated', number, {
    v1: { lead_number: number, funnel_code: funnel, stage },
  });
}

export function quoteForAccount(cell: Cell, lead: Lead, { account }: Customer, random: RandomStream) {
  return occurrence('goods.quote.created-for-account', account.number, {
    v1: { account_number: account.number, ...quote(cell, lead, random) },
  });
}

export function quoteWithoutAccount(cell: Cell, lead: Lead, random: RandomStream) {
  const name = personName(random);
  return occurrence('goods.quote.created-without-account', lead.number, {
    v1: {
      ...quote(cell, lead, random),
      contact_info: {
        given_name: name.given,
        family_name: name.family,
        email: emailAddress(name, lead.number.slice(3), random),
      },
    },
  });
}

export function newOpportunity(cell: Cell, lead: Lead): Opportunity {
  return { lead, number: cell.ids.number('opportunity') };
}

export function moveOpportunity(
  { lead, number }: Opportunity,
  stage: 'QUOTED' | 'WON' | 'LOST',
  agent: number,
) {
  return occurrence('leads.opportunity.stage-updated', lead.number, {
    v1: { opportunity_number: number, funnel_code: lead.funnel, stage, updated_by_user_id: agent },
  });
}

export function attachDocument(cell: Cell, { lead, number }: Opportunity) {
  return occurrence('leads.opportunity.document-attached-to-opportunity', lead.number, {
    v1: {
      opportunity_number: number,
      attachment_id: cell.ids.integer('opportunity attachment'),
      category: 'LEAD_FILE',
    },
  });
}

/** Finishes a cost calculation for supply at half-hourly prices. It fails with a likelihood of 5 %. */
export function finishCostCalculation(
  cell: Cell,
  { lead }: Opportunity,
  by: { readonly agent: number; readonly random: RandomStream },
) {
  return occurrence('complex_quoting.cost_calculation_finished', lead.number, {
    v1: {
      quote_configuration_number: cell.ids.number('quote'),
      succeeded: by.random.chance(0.95),
      triggered_by_id: by.agent,
    },
  });
}

export function createOffers(cell: Cell, { lead, number }: Opportunity) {
  return occurrence('leads.opportunity.offer-group.created', lead.number, {
    v2: { opportunity_number: number, offer_group_identifier: cell.ids.uuid('offer group') },
  });
}

export function purchase(cell: Cell, account: Account, agent: number) {
  return occurrence('goods.purchase-created', account.number, {
    v1: { purchase_id: cell.ids.integer('purchase'), account_id: account.id, support_user_id: agent },
  });
}

function quote(cell: Cell, lead: Lead, random: RandomStream) {
  return {
    market_name: lead.funnel === energyFunnel ? 'GBR_ELECTRICITY' : 'SIMPLE_SERVICES',
    quote_id: cell.ids.integer('quote'),
    client_params: { utm_source: random.pick(quoteSources) },
    lead_id: lead.id,
  };
}

/** Funnel for energy at half-hourly prices, for home businesses. */
export const energyFunnel = 'BUSINESS_ENERGY';

/** Funnels for goods, without energy. */
export const goodsFunnels = { ...funnels, [energyFunnel]: 0 } as const;

/** Stages of a lead before it becomes an opportunity, in order. */
export const leadStages = ['NEW', 'CONTACTED', 'QUALIFIED'] as const;

/** Marketing sources of quote requests. */
const quoteSources = ['search', 'newsletter', 'recommendation', 'shop_window'] as const;

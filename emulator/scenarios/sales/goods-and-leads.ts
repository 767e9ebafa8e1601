import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Cell } from '../../world/cell.js';
import {
  attachDocument,
  createOffers,
  energyFunnel,
  finishCostCalculation,
  goodsFunnels,
  type Lead,
  leadStages,
  moveLead,
  moveOpportunity,
  newLead,
  newOpportunity,
  type Opportunity,
  purchase,
  quoteForAccount,
  quoteWithoutAccount,
} from '../../world/sales/sales.js';
import { type Customer, customerOf } from '../../world/customer/customer.js';
import { staffId } from '../../world/staff.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  outcome: { won: 0.3, lost: 0.7 },
  account: { 'signed-in': 0.5, unknown: 0.5 },
  /** Energy at half-hourly prices needs a cost calculation. */
  wanted: { goods: 0.85, energy: 0.15 },
  document: { none: 0.6, attached: 0.4 },
  offers: { none: 0.4, made: 0.6 },
} as const;

export const goodsAndLeads = defineScenario({
  name: 'goods-and-leads',
  title: 'Somebody asks for a charger, a heat pump or solar panels',
  description:
    'Somebody asks what a charger, a heat pump or solar panels would cost, or supply for a business at home. They get ' +
    'a quote, signed in or not; an agent follows it up, attaches documents, has costs computed, makes offers. Three in ten ' +
    'buy in the end.',
  rate: 20,
  branches,
  *run(context) {
    const { cell, branch, random } = context;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const lead = newLead(cell, branch.wanted === 'energy' ? energyFunnel : random.weighted(goodsFunnels));
    yield* qualify(context, lead, customer);
    const agent = staffId(random);
    const opportunity = yield* prepareOffer(context, lead, agent);

    yield* after({ days: 1 }, { days: 30 }, 'office');
    yield* emit(moveOpportunity(opportunity, branch.outcome === 'won' ? 'WON' : 'LOST', agent));
    // Energy is not a purchase. A customer who was not signed in has an account by now.
    if (branch.outcome === 'lost' || branch.wanted === 'energy') return;
    yield* after({ hours: 1 }, { days: 5 }, 'office');
    yield* emit(purchase(cell, customer.account, agent));
  },
});

type Sale = ScenarioContext<Cell, typeof branches>;

function* qualify({ cell, branch, random }: Sale, lead: Lead, customer: Customer): Steps {
  const stages = leadStages.slice(0, random.integer(1, leadStages.length));
  for (const [index, stage] of stages.entries()) {
    if (index > 0) yield* after({ minutes: 30 }, { days: 2 }, 'office');
    yield* emit(moveLead(lead, stage));
  }
  yield* after({ minutes: 5 }, { days: 2 }, 'waking');
  yield* emit(
    branch.account === 'signed-in'
      ? quoteForAccount(cell, lead, customer, random)
      : quoteWithoutAccount(cell, lead, random),
  );
}

function* prepareOffer({ cell, branch, random }: Sale, lead: Lead, agent: number): Steps<Opportunity> {
  yield* after({ hours: 1 }, { days: 3 }, 'office');
  const opportunity = newOpportunity(cell, lead);
  yield* emit(moveOpportunity(opportunity, 'QUOTED', agent));
  if (branch.document === 'attached') {
    yield* after({ minutes: 10 }, { days: 2 }, 'office');
    yield* emit(attachDocument(cell, opportunity));
  }
  if (branch.wanted === 'energy') {
    yield* after({ minutes: 1 }, { minutes: 30 });
    yield* emit(finishCostCalculation(cell, opportunity, { agent, random }));
  }
  if (branch.offers === 'made') {
    yield* after({ minutes: 1 }, { hours: 2 });
    yield* emit(createOffers(cell, opportunity));
  }
  return opportunity;
}

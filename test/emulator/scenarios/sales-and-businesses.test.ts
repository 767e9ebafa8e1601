import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { byCell, of, only } from './payloads.js';
import { play } from './play.js';

describe('goods-and-leads', () => {
  const sell = (branches: Record<string, string>) =>
    play('goods-and-leads', { seed: 3, instances: 25, branches });

  it('moves through its stages to an opportunity with one end', async () => {
    for (const events of byCell(await sell({ outcome: 'won', wanted: 'goods', account: 'signed-in' }))) {
      const stages = of(events, 'leads.lead.stage-updated', 'v1').map(({ payload }) => payload.stage);
      expect(stages).toEqual(['NEW', 'CONTACTED', 'QUALIFIED'].slice(0, stages.length));
      const opportunity = of(events, 'leads.opportunity.stage-updated', 'v1').map(({ payload }) => payload);
      expect(opportunity.map(({ stage }) => stage)).toEqual(['QUOTED', 'WON']);
      expect(new Set(opportunity.map(({ opportunity_number }) => opportunity_number)).size).toBe(1);
      const [lead] = of(events, 'leads.lead.stage-updated', 'v1');
      expect(opportunity[0]?.funnel_code).toBe(lead?.payload.funnel_code);
      const quote = only(events, 'goods.quote.created-for-account', 'v1');
      expect(quote.payload.market_name).toBe('SIMPLE_SERVICES');
      const bought = only(events, 'goods.purchase-created', 'v1');
      expect(bought.key).toBe(quote.payload.account_number);
      expect(bought.at).toBe(events.at(-1)?.at);
    }
  });

  it('purchases only if won, and calculates costs only for energy', async () => {
    expect(of(await sell({ outcome: 'lost' }), 'goods.purchase-created', 'v1')).toEqual([]);
    expect(of(await sell({ wanted: 'goods' }), 'complex_quoting.cost_calculation_finished', 'v1')).toEqual(
      [],
    );
    const energy = await sell({ wanted: 'energy' });
    expect(of(energy, 'complex_quoting.cost_calculation_finished', 'v1')).toHaveLength(25);
    for (const { payload } of of(energy, 'leads.lead.stage-updated', 'v1')) {
      expect(payload.funnel_code).toBe('BUSINESS_ENERGY');
    }
  });
});

describe('campaigns', () => {
  it('ends memberships by their expiry, within the campaign', async () => {
    const emissions = await play('campaigns', {
      seed: 3,
      instances: 60,
      branches: { course: 'extended-then-removed' },
    });
    for (const events of byCell(emissions)) {
      const added = only(events, 'campaign_account.added', 'v1').payload;
      const updated = only(events, 'campaign_account.updated', 'v1').payload;
      const expiry = (updated.changes as Record<string, { old: string; new: string }>)
        .campaign_account_expiry_date;
      expect(expiry?.old).toBe(added.campaign_account_expiry_date);
      expect(expiry && expiry.new > expiry.old).toBe(true);
      expect(expiry && added.campaign_expiry_date && expiry.new <= added.campaign_expiry_date).toBe(true);
      const removed = only(events, 'campaign_account.removed', 'v1');
      expect(removed.payload.campaign_slug).toBe(added.campaign_slug);
      expect(london.next(removed.at, 'night')).toBe(removed.at);
      expect(london.dayAt(removed.at)).toBeLessThanOrEqual(london.dayAt(Date.parse(expiry?.new ?? '')));
    }
  });
});

describe('names with a year', () => {
  it('contain the year of the event', async () => {
    const start = Date.parse('2031-05-06T09:00:00Z');
    const joined = await play('campaigns', { seed: 3, instances: 60, start });
    const names = of(joined, 'campaign_account.added', 'v1').map(({ payload }) => payload.campaign_name);
    expect(names.filter((name) => /\d/.test(name)).length).toBeGreaterThan(5);
    const raised = await play('debt-path', { seed: 3, instances: 5, start, branches: { end: 'agency' } });
    const codes = of(raised, 'collection_process.raised', 'v1').map(({ payload }) => payload.config_code);
    expect(codes.length).toBeGreaterThan(0);
    for (const text of [...names, ...codes]) expect([undefined, '2031']).toContain(/\d+/.exec(text)?.[0]);
  });
});

describe('business-onboarding', () => {
  it('creates a business, checks its credit, then opens its account', async () => {
    const emissions = await play('business-onboarding', {
      seed: 3,
      instances: 20,
      branches: { register: 'found', company: 'founded', team: 'assigned' },
    });
    const numbers = new Set<string>();
    for (const events of byCell(emissions)) {
      expect(events.map(({ envelope }) => envelope.event_type)).toEqual([
        'business.created',
        'business.updated',
        'credit_check.created',
        'internal_company.created',
        'account.created',
        'account_user.updated',
        'business_operations_team.updated',
      ]);
      const { id } = only(events, 'business.created', 'v1').payload;
      expect(only(events, 'credit_check.created', 'v1').payload).toMatchObject({
        entity_type: 'BUSINESS',
        entity_id: String(id),
      });
      expect(only(events, 'credit_check.created', 'v1').key).toBe(only(events, 'account.created', 'v1').key);
      const { linked_accounts } = only(events, 'account_user.updated', 'v1').payload;
      expect(linked_accounts).toContainEqual({
        number: only(events, 'account.created', 'v1').payload.account_number,
        status: 'ACTIVE',
      });
      const { changes } = only(events, 'business.updated', 'v1').payload;
      const company = only(events, 'internal_company.created', 'v1').payload;
      for (const number of [
        (changes as { company_number: { new: string } }).company_number.new,
        company.primary_registration_number,
      ]) {
        expect(number).toMatch(/^9\d{7}$/);
        numbers.add(number);
      }
      expect(company.primary_tax_identifier_number).toMatch(/^GB\d{9}$/);
    }
    expect(numbers.size).toBe(40);
  });
});

describe('access-roles', () => {
  it('updates the permissions of a created role under its code', async () => {
    for (const [kind, name] of [
      ['partner', 'partner_roles'],
      ['partner-user', 'partner_user_roles'],
      ['user', 'user_roles'],
    ] as const) {
      const emissions = await play('access-roles', {
        seed: 3,
        instances: 10,
        branches: { kind, course: 'created-then-updated' },
      });
      for (const events of byCell(emissions)) {
        const created = only(events, `customer_access.${name}.created`, 'v1');
        const updated = only(events, `customer_access.${name}.updated`, 'v1');
        expect(updated.payload.code).toBe(created.payload.code);
        expect(updated.key).toBe(created.payload.code);
        expect(updated.payload.permissions).not.toEqual(created.payload.permissions);
        expect(created.payload.permissions.length).toBeGreaterThan(0);
      }
    }
  });

  it('updates a standard role without creating it', async () => {
    const emissions = await play('access-roles', { instances: 20, branches: { course: 'updated' } });
    const standard = ['ACCOUNT_HOLDER', 'BILL_PAYER', 'VIEWER', 'BROKER_READ', 'PARTNER_ADMIN'];
    expect(emissions).toHaveLength(20);
    for (const { key } of emissions) expect(standard).toContain(key);
  });
});

import { describe, expect, it } from 'vitest';
import { describeInvariants } from '../../../emulator/invariants/describe.js';
import { invariants, themes } from '../../../emulator/invariants/index.js';
import { play } from '../scenarios/play.js';
import { all, before, changed } from './mutations.js';
import { check, eventOf } from './streams.js';
import { broken } from './violations.js';
import { live } from './worldly.js';

describe('the invariants', () => {
  it('have each a name in kebab-case of its own, and a sentence', () => {
    const names = invariants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, statement } of invariants) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(statement).toMatch(/^[A-Z`].*\.$/);
    }
    expect(Object.values(themes).flat()).toEqual(invariants);
  });

  it('are what docs/invariants.md says', async () => {
    await expect(describeInvariants()).toMatchFileSnapshot('../../../docs/invariants.md');
  });

  it('that the stream proves are each tried on a stream that they must catch', () => {
    const provable = invariants.filter(({ proof }) => proof === 'stream').map(({ name }) => name);
    expect([...new Set(broken.map(({ invariant }) => invariant))].sort()).toEqual(provable.sort());
  });

  it.each(broken.map((each) => [each.invariant, each.how, each] as const))(
    '%s: catches that %s',
    async (invariant, _how, { scenario, branches, instances = 2, mutate }) => {
      const legal = (await play(scenario, { instances, ...(branches && { branches }) })).map(eventOf);
      expect(check(legal)).toEqual([]);
      const found = check(mutate(legal)).map((violation) => violation.invariant);
      expect(found).toContain(invariant);
    },
  );
});

describe('the invariants that need to know the world', () => {
  const posted = 'billing.ledger.entry_posted';

  it('are skipped without it', () => {
    const { events } = live({ scenarios: { 'billing-cycle': 0 } });
    const wrong = before(posted, 'billing.billing_document.issued')(events);
    expect(check(wrong).filter(({ invariant }) => invariant === 'charges-before-their-bill')).toEqual([]);
  });

  it('charges-before-their-bill: catches that a bill is issued before what it charges', () => {
    const { events, truth } = live({ scenarios: { 'billing-cycle': 0 }, branches: { document: 'issued' } });
    expect(check(events, { truth })).toEqual([]);
    const found = check(before(posted, 'billing.billing_document.issued')(events), { truth });
    expect(found.map(({ invariant }) => invariant)).toContain('charges-before-their-bill');
  });

  it('no-charge-beyond-supply: catches that a day is charged on which supply had ended', () => {
    const { events, truth } = live({
      scenarios: { 'billing-cycle': 0, 'switch-loss': 60 },
      branches: { document: 'issued', outcome: 'completed' },
    });
    expect(check(events, { truth })).toEqual([]);
    const confirmed = 'lifecycle.leave-supplier.termination.confirmed';
    const early = all(
      before('billing.charging.supply-point.triggered', confirmed),
      changed(confirmed, { 'supply_point.confirmed_supply_end_date': '2026-01-10' }),
    );
    const found = check(early(events), { truth });
    expect(found.map(({ invariant }) => invariant)).toContain('no-charge-beyond-supply');
  });

  it('allocations-within-payment: catches that more is allocated than was paid', () => {
    const { events, truth } = live({ scenarios: { 'debt-path': 0 }, branches: { end: 'paid-in-dunning' } });
    expect(check(events, { truth })).toEqual([]);
    const found = check(changed('delinquent_debt.allocation_created', { amount: 100_000_000 })(events), {
      truth,
    });
    expect(found.map(({ invariant }) => invariant)).toContain('allocations-within-payment');
  });
});

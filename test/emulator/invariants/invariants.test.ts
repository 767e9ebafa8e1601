import { describe, expect, it } from 'vitest';
import { invariants, themes } from '../../../emulator/invariants/index.js';
import { play } from '../scenarios/play.js';
import { named } from './broken.js';
import { brokenContact } from './broken-contact.js';
import { brokenMoney } from './broken-money.js';
import { brokenSupply } from './broken-supply.js';
import { describeInvariants } from './describe.js';
import { all, before, changed, type Mutation } from './mutations.js';
import { check, eventOf } from './streams.js';
import { type Household, live } from './worldly.js';

/** Each invariant that the stream proves at least once. */
const broken = named({ ...brokenSupply, ...brokenMoney, ...brokenContact });

describe('invariants', () => {
  it('carry a unique name in kebab-case, and a statement', () => {
    const names = invariants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, statement } of invariants) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(statement).toMatch(/^[A-Z`].*\.$/);
    }
    expect(Object.values(themes).flat()).toEqual(invariants);
  });

  it('match docs/reference/invariants.md', async () => {
    await expect(describeInvariants()).toMatchFileSnapshot('../../../docs/reference/invariants.md');
  });

  it('cover every stream invariant with a violating stream', () => {
    const provable = invariants.filter(({ proof }) => proof === 'stream').map(({ name }) => name);
    expect([...new Set(broken.map(([invariant]) => invariant))].sort()).toEqual(provable.sort());
  });

  it.each(broken)(
    '%s: catches that %s',
    async (invariant, _how, { scenario, branches, instances, mutate }) => {
      const legal = (await play(scenario, { instances, branches })).map(eventOf);
      expect(check(legal)).toEqual([]);
      const found = check(mutate(legal)).map((violation) => violation.invariant);
      expect(found).toContain(invariant);
    },
  );
});

const posted = 'billing.ledger.entry_posted';
const confirmed = 'lifecycle.leave-supplier.termination.confirmed';

/** Each invariant that needs to know the world at least once. */
const brokenInTheWorld: Readonly<Record<string, readonly [Household, Mutation]>> = {
  'charges-before-their-bill: a bill is issued before what it charges': [
    { scenarios: { 'billing-cycle': 0 }, branches: { document: 'issued' } },
    before(posted, 'billing.billing_document.issued'),
  ],
  'charges-before-their-bill: a final bill comes before what it charges': [
    { scenarios: { 'switch-loss': 0 }, branches: { outcome: 'completed' } },
    before(posted, 'billing.final_bill'),
  ],
  'final-bill-to-the-end: supply ended later than the final bill charges': [
    { scenarios: { 'switch-loss': 0 }, branches: { outcome: 'completed' } },
    changed(confirmed, { 'supply_point.confirmed_supply_end_date': '2026-03-20' }),
  ],
  'no-charge-beyond-supply: a day is charged on which supply had ended': [
    {
      scenarios: { 'billing-cycle': 0, 'switch-loss': 60 },
      branches: { document: 'issued', outcome: 'completed' },
    },
    all(
      before('billing.charging.supply-point.triggered', confirmed),
      changed(confirmed, { 'supply_point.confirmed_supply_end_date': '2026-01-10' }),
    ),
  ],
  'allocations-within-payment: more is allocated than was paid': [
    { scenarios: { 'debt-path': 0 }, branches: { end: 'paid-in-dunning' } },
    changed('delinquent_debt.allocation_created', { amount: 100_000_000 }),
  ],
};

describe('world invariants', () => {
  it('skip without the ground truth', () => {
    const { events } = live({ scenarios: { 'billing-cycle': 0 } });
    const wrong = before(posted, 'billing.billing_document.issued')(events);
    expect(check(wrong).filter(({ invariant }) => invariant === 'charges-before-their-bill')).toEqual([]);
  });

  it('cover every world invariant with a violating stream', () => {
    const worldly = invariants.filter(({ proof }) => proof === 'world').map(({ name }) => name);
    expect([...new Set(named(brokenInTheWorld).map(([invariant]) => invariant))].sort()).toEqual(
      worldly.sort(),
    );
  });

  it.each(named(brokenInTheWorld))('%s: catches that %s', (invariant, _how, [household, mutate]) => {
    const legal = live(household);
    expect(check(legal.events, { truth: legal.truth })).toEqual([]);
    // Read from its beginning, as the stream is.
    const { events, truth } = live(household);
    const found = check(mutate(events), { truth }).map((violation) => violation.invariant);
    expect(found).toContain(invariant);
  });
});

import { describe, expect, it } from 'vitest';
import { invariants, themes } from '../../../emulator/invariants/index.js';
import { play } from '../scenarios/play.js';
import type { Broken } from './broken.js';
import { brokenContact } from './broken-contact.js';
import { brokenMoney } from './broken-money.js';
import { brokenSupply } from './broken-supply.js';
import { describeInvariants } from './describe.js';
import { all, before, changed, type Mutation } from './mutations.js';
import { check, eventOf } from './streams.js';
import { type Household, live } from './worldly.js';

/** Each invariant that the stream proves at least once. */
const broken: readonly Broken[] = [...brokenSupply, ...brokenMoney, ...brokenContact];

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

interface WorldBroken {
  readonly invariant: string;
  readonly how: string;
  readonly household: Household;
  readonly mutate: Mutation;
}

const posted = 'billing.ledger.entry_posted';
const confirmed = 'lifecycle.leave-supplier.termination.confirmed';

/** Each invariant that needs to know the world at least once. */
const brokenInTheWorld: readonly WorldBroken[] = [
  {
    invariant: 'charges-before-their-bill',
    how: 'a bill is issued before what it charges',
    household: { scenarios: { 'billing-cycle': 0 }, branches: { document: 'issued' } },
    mutate: before(posted, 'billing.billing_document.issued'),
  },
  {
    invariant: 'charges-before-their-bill',
    how: 'a final bill comes before what it charges',
    household: { scenarios: { 'switch-loss': 0 }, branches: { outcome: 'completed' } },
    mutate: before(posted, 'billing.final_bill'),
  },
  {
    invariant: 'final-bill-to-the-end',
    how: 'supply ended later than the final bill charges',
    household: { scenarios: { 'switch-loss': 0 }, branches: { outcome: 'completed' } },
    mutate: changed(confirmed, { 'supply_point.confirmed_supply_end_date': '2026-03-20' }),
  },
  {
    invariant: 'no-charge-beyond-supply',
    how: 'a day is charged on which supply had ended',
    household: {
      scenarios: { 'billing-cycle': 0, 'switch-loss': 60 },
      branches: { document: 'issued', outcome: 'completed' },
    },
    mutate: all(
      before('billing.charging.supply-point.triggered', confirmed),
      changed(confirmed, { 'supply_point.confirmed_supply_end_date': '2026-01-10' }),
    ),
  },
  {
    invariant: 'allocations-within-payment',
    how: 'more is allocated than was paid',
    household: { scenarios: { 'debt-path': 0 }, branches: { end: 'paid-in-dunning' } },
    mutate: changed('delinquent_debt.allocation_created', { amount: 100_000_000 }),
  },
];

describe('world invariants', () => {
  it('skip without the ground truth', () => {
    const { events } = live({ scenarios: { 'billing-cycle': 0 } });
    const wrong = before(posted, 'billing.billing_document.issued')(events);
    expect(check(wrong).filter(({ invariant }) => invariant === 'charges-before-their-bill')).toEqual([]);
  });

  it('cover every world invariant with a violating stream', () => {
    const worldly = invariants.filter(({ proof }) => proof === 'world').map(({ name }) => name);
    expect([...new Set(brokenInTheWorld.map(({ invariant }) => invariant))].sort()).toEqual(worldly.sort());
  });

  it.each(brokenInTheWorld.map((each) => [each.invariant, each.how, each] as const))(
    '%s: catches that %s',
    (invariant, _how, { household, mutate }) => {
      const legal = live(household);
      expect(check(legal.events, { truth: legal.truth })).toEqual([]);
      // Read from its beginning, as the stream is.
      const { events, truth } = live(household);
      const found = check(mutate(events), { truth }).map((violation) => violation.invariant);
      expect(found).toContain(invariant);
    },
  );
});

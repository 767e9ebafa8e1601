import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { dayOf, hour } from '../../../emulator/engine/time.js';
import { play } from './play.js';
import { clock, midnightOf } from './clock.js';
import { byCell, of, sequences } from './payloads.js';
import { openHousehold, playInOneHousehold } from './same-household.js';

const changes = (branches: Record<string, string>) =>
  play('agreement-changes', { seed: 4, instances: 40, branches });

describe('a rollover', () => {
  it('happens at night, six to seven weeks before the term ends', async () => {
    const emissions = await changes({ change: 'rollover' });
    const rollovers = of(emissions, 'agreement.rollover.completed', 'v1');
    expect(new Set(rollovers.map(({ payload }) => payload.account_number)).size).toBe(40);
    for (const { at, payload } of rollovers) {
      const days = (Date.parse(payload.rolled_on_to_agreement_valid_from) - at) / (24 * 3_600_000);
      expect(days).toBeGreaterThan(41);
      expect(days).toBeLessThan(50);
      expect(clock(at).hour).toBeLessThan(5.1);
    }
  });

  it('continues the old agreement with a new one on the named product', async () => {
    for (const cell of byCell(await changes({ change: 'rollover', afterwards: 'kept' }))) {
      const [created] = of(cell, 'agreement.created', 'v1');
      const [rollover] = of(cell, 'agreement.rollover.completed', 'v1');
      const [assigned] = of(cell, 'billing.charging-ledger.assigned-to-agreement', 'v1');
      expect(rollover!.payload.rolled_on_to_agreement_id).toBe(created!.payload.agreement_id);
      expect(assigned!.payload.agreement_id).toBe(created!.payload.agreement_id);
      expect(rollover!.payload.expiring_agreement_id).toBeLessThan(created!.payload.agreement_id);
      expect(rollover!.payload.new_product.code).toBe(created!.payload.product_code);
      expect(midnightOf(rollover!.payload.rolled_on_to_agreement_valid_from)).toBe(
        created!.payload.valid_from,
      );
    }
  });

  it('replaces a revoked agreement from the same day on', async () => {
    for (const cell of byCell(await changes({ change: 'rollover', afterwards: 'revoked' }))) {
      const created = of(cell, 'agreement.created', 'v1').map(({ payload }) => payload);
      const revoked = of(cell, 'agreement.revoked', 'v2').map(({ payload }) => payload.agreement_id);
      const [before, after] = [revoked.length, created.length - revoked.length];
      expect(after).toBe(before);
      expect(created.slice(0, before).map(({ agreement_id }) => agreement_id)).toEqual(revoked);
      expect(new Set(created.map(({ valid_from }) => valid_from)).size).toBe(1);
      for (const { product_code } of created.slice(before)) {
        expect(product_code).not.toBe(created[0]!.product_code);
      }
    }
  });
});

describe('a product switch', () => {
  it('ends the old agreement at the new one, or reopens it on revocation', async () => {
    for (const cell of byCell(await changes({ change: 'switch', afterwards: 'revoked' }))) {
      const [created] = of(cell, 'agreement.created', 'v1');
      const updates = of(cell, 'agreement.updated', 'v2').map(({ payload }) => payload);
      const begins = created!.payload.valid_from;
      const half = updates.length / 2;
      for (const [nth, ended] of updates.slice(0, half).entries()) {
        const { old: term } = (ended.changes as { valid_to: { old: string } }).valid_to;
        expect(ended.changes).toEqual({ valid_to: { old: term, new: begins } });
        expect(term > begins).toBe(true);
        expect(updates[half + nth]).toMatchObject({
          agreement_id: ended.agreement_id,
          changes: { valid_to: { old: begins, new: term } },
        });
      }
    }
  });
});

describe('a correction', () => {
  it('updates the product once', async () => {
    const emissions = await changes({ change: 'correction' });
    expect(new Set(sequences(emissions).flat())).toEqual(new Set(['agreement.updated']));
    for (const { payload } of of(emissions, 'agreement.updated', 'v1')) {
      const { old, new: corrected } = (payload.changes as { product_code: { old: string; new: string } })
        .product_code;
      expect(corrected).not.toBe(old);
    }
  });
});

describe('the end of a fixed term', () => {
  const today = dayOf(2026, 3, 2);
  /** Cells of landlords whose homes have a fixed term, and its last day (exclusive). */
  const landlords = Array.from({ length: 200 }, (_, nth) => nth + 1).flatMap((index) => {
    const opened = openHousehold(london.instantOf(today), index, 'landlord');
    const terms = opened.account.agreements.flatMap(({ to = 0 }) => (to > today + 80 ? [to] : []));
    return terms[0] === undefined ? [] : [{ index, opened, ends: terms[0], count: terms.length }];
  });
  /** Plays a start of `agreement-changes` that many days before the end. Returns the agreements that follow the term. */
  const followers = (landlord: (typeof landlords)[number], days: number, change: string) => {
    const { index, opened, ends } = landlord;
    const at = london.instantOf(ends - days, 12 * hour);
    const branches = { change, afterwards: 'kept' };
    playInOneHousehold([{ at, scenario: 'agreement-changes' }], { cell: index, opened, branches });
    return opened.account.agreements.filter(({ from }) => from === ends);
  };

  it('comes on the same day for all homes of a landlord', () => {
    expect(landlords.length).toBeGreaterThan(14);
    for (const { count, opened, ends } of landlords)
      expect(opened.account.agreements.filter(({ to }) => to === ends)).toHaveLength(count);
  });

  it('gets a successor at once for all homes of a landlord', () => {
    for (const landlord of landlords.slice(0, 6)) {
      expect(followers(landlord, 60, 'rollover')).toHaveLength(landlord.count);
    }
  });

  it('gets a successor at a correction if the next start would be too late', () => {
    for (const landlord of landlords.slice(6, 9)) expect(followers(landlord, 40, 'correction')).toEqual([]);
    for (const landlord of landlords.slice(9, 15)) {
      expect(followers(landlord, 20, 'correction')).toHaveLength(landlord.count);
    }
  });
});

describe('account-reactivation', () => {
  it('includes the previous status in both events', async () => {
    const emissions = await play('account-reactivation', { seed: 4, instances: 40 });
    const before = byCell(emissions).map((cell) => {
      const old = of(cell, 'account.reactivated', 'v1')[0]!.payload.previous_status;
      const [updated] = of(cell, 'account.updated', 'v1');
      expect(updated!.payload.changes).toEqual({ status: { old, new: 'ACTIVE' } });
      return old;
    });
    expect(new Set(before)).toEqual(new Set(['DORMANT', 'WITHDRAWN']));
  });
});

import { describe, expect, it } from 'vitest';
import { after, defineScenario, type OutgoingEvent, scenarios } from '../../../emulator/index.js';
import { byCell, of, only } from './payloads.js';
import { play } from './play.js';

const payloads = <P>(emissions: readonly OutgoingEvent[], type: string, version: string) =>
  emissions
    .filter(({ envelope }) => envelope.event_type === type && envelope.version === version)
    .map(({ envelope }) => envelope.payload as P);

const houseMove = scenarios.find(({ name }) => name === 'house-move')!;

const moves = (branches: Record<string, string> = {}) =>
  play('house-move', { seed: 3, instances: 40, branches: { outcome: 'moved', ...branches } });

describe('house-move', () => {
  it('sends equal versions of a request, except for the process number', async () => {
    const emissions = await moves();
    const v2 = payloads<object>(emissions, 'lifecycle.leave-supplier.requested', 'v2');
    const v3 = payloads<{ leave_supplier_process_number: string }>(
      emissions,
      'lifecycle.leave-supplier.requested',
      'v3',
    );
    expect(v3.map(({ leave_supplier_process_number: _, ...rest }) => rest)).toEqual(v2);
    expect(v3).toHaveLength(40);
  });

  it('ends supply of every supply point on the last requested day', async () => {
    interface Asked {
      leave_supplier_process_id: number;
      requested_supply_end_date: string;
      supply_points: { external_identifier: string }[];
    }
    interface Completed {
      leave_supplier_process_id: number;
      supply_points: { external_identifier: string; confirmed_supply_end_date: string }[];
    }
    const emissions = await moves({ date: 'changed' });
    const asked = new Map<number, Asked>();
    for (const type of ['lifecycle.leave-supplier.requested', 'lifecycle.leave-supplier.updated']) {
      for (const each of payloads<Asked>(emissions, type, 'v3')) {
        const before = asked.get(each.leave_supplier_process_id);
        if (before) expect(each.requested_supply_end_date > before.requested_supply_end_date).toBe(true);
        asked.set(each.leave_supplier_process_id, each);
      }
    }
    const completed = payloads<Completed>(emissions, 'lifecycle.leave-supplier.completed', 'v3');
    expect(completed).toHaveLength(40);
    for (const { leave_supplier_process_id, supply_points } of completed) {
      const wanted = asked.get(leave_supplier_process_id);
      expect(supply_points.map((point) => point.external_identifier)).toEqual(
        wanted?.supply_points.map((point) => point.external_identifier),
      );
      for (const point of supply_points)
        expect(point.confirmed_supply_end_date).toBe(wanted?.requested_supply_end_date);
    }
  });

  it('supplies the next occupier on a deemed contract from the day of the move', async () => {
    for (const events of byCell(await moves({ occupier: 'identified', account: 'new', date: 'kept' }))) {
      const occupier = only(events, 'account.occupied', 'v1').payload.account_number;
      const [left] = of(events, 'lifecycle.leave-supplier.completed', 'v3');
      const points = left?.payload.supply_points ?? [];
      const agreed = of(events, 'agreement.created', 'v1').filter(
        ({ payload }) => payload.account_number === occupier,
      );
      expect(agreed).toHaveLength(points.length);
      for (const { payload } of agreed) {
        expect(payload.product_code).toMatch(/VAR-/);
        const day = new Date(Date.parse(payload.valid_from) + 2 * 3_600_000).toISOString().slice(0, 10);
        expect(day).toBe(points[0]?.confirmed_supply_end_date);
      }
    }
  });

  it('opens a second account only in that branch', async () => {
    const opened = async (account: string) =>
      payloads(await moves({ account, occupier: 'none' }), 'account.created', 'v1').length;
    expect(await opened('new')).toBe(40);
    expect(await opened('same')).toBe(0);
  });

  it('identifies the occupier after opening their account', async () => {
    const emissions = await moves({ occupier: 'identified', account: 'same' });
    const opened = new Map(
      emissions
        .filter(({ envelope }) => envelope.event_type === 'account.created')
        .map(({ envelope, at }) => [(envelope.payload as { account_number: string }).account_number, at]),
    );
    const occupied = emissions.filter(({ envelope }) => envelope.event_type === 'account.occupied');
    expect(occupied).toHaveLength(40);
    for (const { envelope, at } of occupied) {
      const { account_number } = envelope.payload as { account_number: string };
      expect(opened.get(account_number)).toBeLessThan(at);
    }
  });

  it('removes only an existing note about the forwarding address', async () => {
    const keys = async (forwarding: string) => {
      const emissions = await moves({ forwarding });
      const count = (verb: string) =>
        payloads(emissions, `account_property_effective_period_metadata.${verb}`, 'v1').length;
      return [count('created'), count('updated'), count('removed')];
    };
    expect(await keys('absent')).toEqual([0, 0, 0]);
    expect(await keys('kept')).toEqual([40, 0, 0]);
    expect(await keys('updated-then-removed')).toEqual([40, 40, 40]);
  });

  it('sends one final bill, within six weeks of the end of supply', async () => {
    const emissions = await moves();
    const completed = new Map(
      emissions
        .filter(({ envelope }) => envelope.event_type === 'lifecycle.leave-supplier.completed')
        .map(({ cell, at }) => [cell, at]),
    );
    const bills = emissions.filter(({ envelope }) => envelope.event_type === 'billing.final_bill');
    expect(bills).toHaveLength(40);
    for (const { cell, at } of bills) {
      const weeks = (at - (completed.get(cell) ?? 0)) / (7 * 24 * 3_600_000);
      expect(weeks).toBeGreaterThan(0);
      expect(weeks).toBeLessThan(6);
    }
  });

  it('changes no supply if it is cancelled', async () => {
    const emissions = await moves({ outcome: 'cancelled', told: 'web' });
    const count = (type: string, version: string) => payloads(emissions, type, version).length;
    expect(count('lifecycle.leave-supplier.cancelled', 'v2')).toBe(40);
    expect(count('lifecycle.join-supplier.cancelled', 'v1')).toBe(40);
    for (const [type, version] of [
      ['lifecycle.leave-supplier.completed', 'v3'],
      ['lifecycle.join-supplier.completed', 'v1'],
      ['agreement.terminated', 'v2'],
      ['agreement.created', 'v1'],
      ['billing.final_bill', 'v1'],
    ] as const) {
      expect(count(type, version), type).toBe(0);
    }
  });

  it('reverses to the old home without a gap', async () => {
    interface Created {
      agreement_id: number;
      account_number: string;
      valid_from: string;
    }
    for (const emissions of byCell(await moves({ outcome: 'reversed' }))) {
      const [asked] = payloads<{ account_number: string }>(
        emissions,
        'lifecycle.leave-supplier.requested',
        'v3',
      );
      const updated = payloads<{ requested_supply_end_at: string }>(
        emissions,
        'lifecycle.leave-supplier.updated',
        'v3',
      );
      const first = payloads<{ requested_supply_end_at: string }>(
        emissions,
        'lifecycle.leave-supplier.requested',
        'v3',
      );
      const ended = [...first, ...updated].at(-1)?.requested_supply_end_at;
      const revoked = payloads<{ agreement_id: number }>(emissions, 'agreement.revoked', 'v2').map(
        (each) => each.agreement_id,
      );
      const statuses = payloads<{ previous_status: string; new_status: string }>(
        emissions,
        'lifecycle.status-changed',
        'v1',
      );
      for (const { previous_status, new_status } of statuses)
        if (new_status === 'REVERSED') expect(previous_status).toBe('COMPLETED');
      const created = payloads<Created>(emissions, 'agreement.created', 'v1');
      const kept = created.filter(({ agreement_id }) => !revoked.includes(agreement_id));
      const terminated = payloads(emissions, 'agreement.terminated', 'v2');
      expect(kept).toHaveLength(terminated.length);
      for (const { account_number, valid_from } of kept) {
        expect(account_number).toBe(asked?.account_number);
        expect(valid_from).toBe(ended);
      }
      expect(payloads(emissions, 'billing.final_bill', 'v1')).toHaveLength(0);
    }
  });

  it('sends no events without a customer, a home or a destination', async () => {
    const again = defineScenario({
      name: 'again',
      title: '',
      description: '',
      branches: houseMove.branches,
      *run(context) {
        for (let move = 0; move < 8; move++) {
          yield* houseMove.run(context);
          yield* after({ days: 1 });
        }
      },
    });
    const emissions = await play(again, {
      branches: { occupier: 'unknown', outcome: 'moved', account: 'same' },
    });
    const requests = payloads(emissions, 'lifecycle.leave-supplier.requested', 'v3');
    // Each home left has an unknown occupier, who stays.
    expect(requests.length).toBe(3);
  });
});

/** Contract tests of the service's consumer: no broker, virtual time, a PostgreSQL in this process. */
import type { BusbarEnvelope } from 'busbar';
import { createTestBench, event, given, sample, type TestBench } from 'busbar-emulator/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { movesConsumer, partsOf } from './moves.ts';
import { type Platform, platformAt } from './platform.ts';
import { supplyEndsIn, supplyEndsOf } from './truth.ts';

const account_number = 'A-1B2C3D4E';
let database: Database;
let bench: TestBench;

beforeAll(async () => {
  database = await openDatabase(undefined);
  // PostgreSQL in WebAssembly takes seconds to start, more on a busy machine.
}, 600_000);
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('TRUNCATE leavings, supply_ends, reversals, bookings, final_bills, busbar_inbox');
});
afterEach(() => bench.stop());

/** Puts the consumer on a bench, by default with the REST API of the bench's world. */
async function onBench(platform?: Platform): Promise<TestBench> {
  const parts = partsOf(database, platform ?? { townOf: (...args) => api.townOf(...args) });
  bench = createTestBench(movesConsumer(parts), { seed: 7 });
  const api = platformAt(await bench.restApi());
  return bench;
}

it('ends each supply on the same day as the platform, with duplicates', async () => {
  const { play, idle, deadLetters, world } = await onBench();
  await play('house-move', { instances: 20, faults: 'duplicate=20%,reorder=20%:1h' });
  await idle();
  expect(deadLetters).toEqual([]);
  const ends = await supplyEndsIn(database);
  expect(ends).toEqual(supplyEndsOf(world));
  expect(ends.length).toBeGreaterThan(10);
});

it('counts a duplicate booking once', async () => {
  const { deliver } = await onBench();
  const type = 'billing.ledger.entry_posted';
  const posted = sample(type, 'v2', { ledger: { account: { number: account_number } } });
  const id = await deliver(type, 'v2', posted);
  await deliver(type, 'v2', posted, { id });
  expect(await database.query('SELECT count FROM bookings')).toEqual([{ count: 1 }]);
});

it('stores the town of a final bill', async () => {
  const { play, idle } = await onBench();
  await play('house-move', { branch: { outcome: 'moved' } });
  await idle();
  expect(await database.query('SELECT town FROM final_bills')).toEqual([{ town: expect.any(String) }]);
});

it('retries a final bill after an error of the platform', async () => {
  let requests = 0;
  const platform: Platform = {
    townOf: async () => {
      if (requests++ < 2) throw new Error('The platform responded with 503 for an account.');
      return 'Penhallow';
    },
  };
  await given(await onBench(platform))
    .when(event('billing.final_bill', 'v1', { account_number, statement_id: 7 }))
    .thenHandled({ attempts: 3 });
  expect(await database.query('SELECT * FROM final_bills')).toEqual([
    { statement: 7, account: account_number, town: 'Penhallow' },
  ]);
});

it('keeps the latest plan of a departure in any order of events', async () => {
  const { send, idle } = await onBench();
  const leaving = (type: 'requested' | 'updated', occurred_at: string, requested_supply_end_at: string) => {
    const event_type = `lifecycle.leave-supplier.${type}` as const;
    const overrides = { account_number, leave_supplier_process_id: 1, requested_supply_end_at };
    const payload = sample(event_type, 'v3', overrides);
    const envelope: BusbarEnvelope = { id: type, event_type, version: 'v3', occurred_at, payload };
    return { key: account_number, value: JSON.stringify(envelope) };
  };
  await send(leaving('updated', '2026-03-09T10:00:00Z', '2026-04-02T00:00:00+01:00'));
  await send(leaving('requested', '2026-03-02T10:00:00Z', '2026-03-30T00:00:00+01:00'));
  await idle();
  expect(await database.query('SELECT planned_end FROM leavings')).toEqual([
    { planned_end: new Date('2026-04-01T23:00:00Z') },
  ]);
});

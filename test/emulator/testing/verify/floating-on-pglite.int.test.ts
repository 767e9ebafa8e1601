import type { PGlite } from '@electric-sql/pglite';
import { createConsumer, silentLogger } from 'busbar';
import { verifyConsumer } from 'busbar-emulator/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPglite } from '../../../open-pglite.js';

// PostgreSQL in WebAssembly takes seconds to start, so both tests share one.
let database: PGlite;
beforeAll(async () => {
  database = await openPglite();
  await database.query('CREATE TABLE accounts (number text PRIMARY KEY)');
});
afterAll(() => database.close());

it.each([
  ['fails a query that is not awaited', false, [{ diagnosis: 'work-floats', status: 'failed' }]],
  ['passes a query that is awaited', true, []],
])('floating %s, on a database in the process', async (_title, isAwaited, causes) => {
  const consumer = createConsumer({ name: 'accounts', logger: silentLogger });
  consumer.on('account.created', 'v1', async ({ payload }) => {
    const insert = 'INSERT INTO accounts VALUES ($1) ON CONFLICT DO NOTHING';
    const pending = database.query(insert, [payload.account_number]).catch((error: unknown) => {
      if (isAwaited) throw error;
    });
    if (isAwaited) await pending;
  });
  const report = await verifyConsumer(consumer, {
    only: ['floating'],
    scenarios: ['house-move'],
    observe: async () => (await database.query('SELECT number FROM accounts ORDER BY number')).rows,
    reset: async () => {
      await database.query('TRUNCATE accounts');
    },
  });
  expect(report.causes).toMatchObject(causes);
});

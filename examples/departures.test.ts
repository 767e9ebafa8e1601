/**
 * Contract tests of a consumer, without a broker. They run in any test runner: `node --test dist/examples/` and
 * `npx vitest` both take this file.
 */
import assert from 'node:assert/strict';
import { createTestBench, event, given, samples } from 'busbar-emulator/testing';
import { departures } from './departures.js';

const runner = process.env.VITEST === undefined ? import('node:test') : import('vitest');
const test: (name: string, run: () => Promise<void>) => unknown = (await runner).test;

const requested = 'lifecycle.leave-supplier.requested';
const completed = 'lifecycle.leave-supplier.completed';
const account_number = 'A-1B2C3D4E';

test('completes a requested departure', async () => {
  const { consumer, list } = departures();
  const bench = createTestBench(consumer);
  await given(bench, event(requested, 'v3', { account_number }))
    .when(event(completed, 'v3', { account_number }))
    .thenState(list, [{ account: account_number, status: 'completed' }]);
  await bench.stop();
});

test('handles every kind of sample', async () => {
  const { consumer } = departures();
  const bench = createTestBench(consumer);
  for (const { payload } of samples(requested, 'v3')) await bench.deliver(requested, 'v3', payload);
  await bench.idle();
  assert.deepEqual(new Set(bench.results.map(({ outcome }) => outcome)), new Set(['handled']));
  await bench.stop();
});

test('lists only accounts of the platform after 100 house moves with duplicates', async () => {
  const { consumer, list } = departures();
  const bench = createTestBench(consumer, { seed: 7 });
  await bench.play('house-move', { instances: 100, faults: 'duplicate=10%' });
  await bench.idle();
  assert.deepEqual(bench.deadLetters, []);
  const known = new Set(bench.world.accounts().map(({ number }) => number));
  assert.ok(list().length >= 50 && list().every(({ account }) => known.has(account)));
  await bench.stop();
});

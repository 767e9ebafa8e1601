import { test } from 'node:test';
import { createTestBench, event, given } from 'busbar-emulator/testing';
import { bills, consumer } from '../src/consumer.ts';

test('counts a final bill', async () => {
  const bench = createTestBench(consumer());
  await given(bench)
    .when(event('billing.final_bill', 'v1', { account_number: 'A-1B2C3D4E' }))
    .thenState(() => bills, new Map([['A-1B2C3D4E', 1]]));
  await bench.stop();
});

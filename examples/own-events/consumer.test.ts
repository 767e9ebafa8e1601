import { loadConfig } from 'busbar/config';
import { createSamples, createTestBench } from 'busbar-emulator/testing';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { consumer, moves } from './consumer.js';

it('remembers a move until the customer has moved', async () => {
  const config = await loadConfig(fileURLToPath(new URL('busbar.config.json', import.meta.url)));
  const catalogue = await config.openCatalogue();
  const { sample } = await createSamples({ catalogue });
  const announced = sample('house_move.announced', 'v1', { moves_on: '2026-04-01' });
  const bench = createTestBench(consumer, { catalogue });

  await bench.deliver('house_move.announced', 'v1', announced);
  expect([...moves]).toEqual([[announced.account.number, '2026-04-01']]);
  await bench.deliver('house_move.completed', 'v1', {
    account: announced.account,
    moved_on: '2026-04-01',
    reason: 'sold',
  });
  expect(moves.size).toBe(0);
  await bench.stop();
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { embeddedBroker } from './embedded.js';
import { runFaults } from './fault-run.js';
import { isFlawless, shown } from './report.js';

const inbox = process.env['BUSBAR_POSTGRES'];

describe('consumer processes that fail and write through the PostgreSQL inbox', () => {
  // `npm run test:postgres` starts the server: a database in the process cannot be shared by several.
  it.skipIf(inbox === undefined)('show every effect exactly once', async () => {
    const broker = await embeddedBroker();
    onTestFinished(() => broker.stop());
    const report = await runFaults({
      seed: 2,
      faults: 9,
      events: 2_500,
      rebalances: ['eager', 'cooperative'],
      broker,
      log: () => undefined,
      ...(inbox === undefined ? {} : { inbox }),
    });
    expect(isFlawless(report), [shown(report), ...report.examples].join('\n')).toBe(true);
    expect(report.effects).toBeGreaterThanOrEqual(2_500 - report.deadLetters);
  });
});

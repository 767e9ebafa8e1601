import { describe, expect, it, onTestFinished } from 'vitest';
import { embeddedBroker } from './embedded.js';
import { runFaults } from './fault-run.js';
import { isFlawless, shown } from './report.js';

describe('a group of consumer processes whose members, network and broker fail', () => {
  it.each(['eager', 'cooperative'] as const)(
    'loses no event, and keeps the order of every key: %s',
    async (rebalance) => {
      const broker = await embeddedBroker();
      onTestFinished(() => broker.stop());
      const log: string[] = [];
      const events = 12_000;
      const report = await runFaults({
        seed: 1,
        faults: 12,
        events,
        rebalances: [rebalance],
        broker,
        log: (line) => log.push(line),
      });
      expect(isFlawless(report), [shown(report), ...report.examples, ...log].join('\n')).toBe(true);
      expect(report.sent).toBe(events);
      expect(Object.keys(report.faults)).toHaveLength(9);
    },
  );
});

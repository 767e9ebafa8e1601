import type * as testing from '../emulator/testing/index.js';
import { built, builtLibrary } from './built.js';
import { type Measured, median } from './measure.js';

const rounds = 5;

/** How long the contract-test kit takes. */
export async function* measure(): AsyncIterable<Measured> {
  yield await houseMoves();
}

/** A thousand house moves over some weeks, each event handled at its own virtual instant by a handler that awaits. */
async function houseMoves(): Promise<Measured> {
  const { createConsumer, silentLogger } = await builtLibrary();
  const { createTestBench } = await built<typeof testing>('emulator/testing/index');
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const consumer = createConsumer({ logger: silentLogger });
    let handled = 0;
    consumer.onAny(async () => {
      await Promise.resolve();
      handled++;
    });
    const bench = createTestBench(consumer, { seed: round });
    const begun = performance.now();
    await bench.play('house-move', { instances: 1000 });
    await bench.idle();
    times.push(performance.now() - begun);
    if (handled < 5000 || handled !== bench.outcomes.length) throw new Error(`Only ${handled} were handled.`);
    await bench.stop();
  }
  return { case: 'play 1,000 house moves', ratio: median(times), unit: 'ms', target: 2000 };
}

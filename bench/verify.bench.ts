import { type AnyEvent, createConsumer, openCatalogue, silentLogger } from 'busbar';
import { createTestBench, verifyConsumer } from 'busbar-emulator/testing';
import { type Measured, median } from './measure.js';
import { ofExample } from './verify/example.js';
import { ofServices } from './verify/services.js';

const rounds = 5;

/** Measures the duration of contract tests. */
export async function* measure(): AsyncIterable<Measured> {
  // First, in a fresh process: builds start one, too.
  yield* verification();
  yield await houseMoves();
  yield ofExample();
  yield* ofServices();
}

/** Verifies twenty handlers with an in-memory state, without the search for faults, then with the search alone. */
async function* verification(): AsyncIterable<Measured> {
  const events = openCatalogue()
    .events.filter(({ domain }) => handledDomains.includes(domain))
    .slice(0, 20);
  const state = new Map<string, number>();
  const make = () => {
    const consumer = createConsumer({ logger: silentLogger });
    for (const { type, version } of events) {
      consumer.on(type as never, version as never, async (event: AnyEvent) => {
        await Promise.resolve();
        state.set(event.type, 1);
      });
    }
    return consumer;
  };
  const contract = { observe: () => state, reset: () => state.clear() };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { duration, checks } = await verifyConsumer(make, { ...contract, runs: 0, seed: 1 + round });
    const failed = checks.find(({ status }) => status === 'failed');
    if (failed !== undefined) throw new Error(`${failed.name} ${failed.subject}: ${failed.reason ?? ''}`);
    times.push(duration);
  }
  yield { case: 'verify 20 handlers', ratio: median(times), unit: 'ms', target: 3000 };
  const { runsPerSecond = 0 } = await verifyConsumer(make, { ...contract, runs: 200, only: ['faults'] });
  yield { case: 'fault plans', ratio: runsPerSecond, unit: '/s' };
}

const handledDomains = ['account', 'agreement', 'lifecycle'];

/** Handles a thousand house moves over some weeks, each event at its virtual time by an async handler. */
async function houseMoves(): Promise<Measured> {
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
    if (handled < 5000 || handled !== bench.results.length) throw new Error(`Only ${handled} were handled.`);
    await bench.stop();
  }
  return { case: 'play 1,000 house moves', ratio: median(times), unit: 'ms', target: 2000 };
}

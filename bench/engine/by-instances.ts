// Measures the cost of an event by the number of running instances, in a child process that reports each figure.
import type { PlatformScenario } from 'busbar-emulator';
import { measured } from '../built.js';
import { type Measured, median } from '../measure.js';
import { run } from './run.js';

/** Rounds for each number of instances, and rounds to warm up with the lowest number. */
const rounds = 9;
const warmUps = 10;
/** Events per round. */
const events = 10_000;

for await (const figure of byInstances()) process.send?.(figure);
process.disconnect();

/**
 * Measures house moves by the number of running instances: the cost of an event after the third and before the fourth of
 * each. The median of rounds with equally many events, from several runs if one has too few.
 */
async function* byInstances(): AsyncIterable<Measured> {
  // Warms up the compiler.
  for (let round = 0; round < warmUps; round++) await costsOf(1000, 1);
  let least = Number.NaN;
  for (const exponent of [3, 4, 5, 6]) {
    const { costs, live } = await costsOf(10 ** exponent, rounds);
    const cost = median(costs);
    if (exponent === 3) least = cost;
    const name = `10^${exponent} instances`;
    yield { case: `${name}: an event`, ratio: cost * 1000, unit: 'us' };
    if (exponent > 3) yield { case: `${name}: an event, to 10^3`, ratio: cost / least, target: 2 };
    yield { case: `${name}: under way`, ratio: live, unit: '' };
    yield {
      case: `${name}: memory`,
      ratio: process.memoryUsage.rss() / 2 ** 20,
      unit: 'MiB',
      ...(exponent === 6 && { target: 1500 }),
    };
  }
}

/** Returns the cost of an event in each round, in milliseconds, and the number of running house moves. */
async function costsOf(instances: number, count: number) {
  const houseMove = measured.findScenario('house-move');
  // By cell: a cell that was evicted starts again when it is played again.
  const live = new Set<number>();
  const scenario: PlatformScenario = {
    ...houseMove,
    *run(context) {
      live.add(context.cell.index);
      yield* houseMove.run(context);
      live.delete(context.cell.index);
    },
  };
  const costs: number[] = [];
  const round = { time: 0, events: 0 };
  for (let seed = 1; costs.length < count; seed++) {
    live.clear();
    let made = 0;
    let from = Number.NaN;
    let begun = Number.NaN;
    await run({ scenario, instances, seed }, (emissions) => {
      made += emissions.length;
      if (made < 3 * instances) return false;
      if (Number.isNaN(from)) {
        [from, begun] = [made, performance.now()];
      } else if (made - from >= Math.min(events, instances)) {
        const now = performance.now();
        round.time += now - begun;
        round.events += made - from;
        [from, begun] = [made, now];
        if (round.events >= events) {
          costs.push(round.time / round.events);
          round.time = round.events = 0;
        }
      }
      return costs.length >= count || from >= 4 * instances;
    });
  }
  return { costs, live: live.size };
}

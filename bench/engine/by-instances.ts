// What an event costs by how many instances are under way, in a process of its own, which tells each figure.
import type { PlatformScenario } from 'busbar/emulator';
import { measured } from '../built.js';
import { type Measured, median } from '../measure.js';
import { run } from './run.js';

/** How often each number of instances takes its turn, and how often the least before that. */
const rounds = 9;
const warmUps = 10;
/** Events of a round, whatever the number of instances. */
const events = 10_000;

for await (const figure of byInstances()) process.send?.(figure);
process.disconnect();

/**
 * House moves by how many are under way: what an event costs once there were three for each, and before there are four.
 * The median of rounds of as many events for every number, from several runs where one has too few.
 */
async function* byInstances(): AsyncIterable<Measured> {
  // Until the compiler has seen what is common.
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

/** Milliseconds that an event takes in each of so many rounds, and how many house moves are under way then. */
async function costsOf(instances: number, count: number) {
  const houseMove = measured.findScenario('house-move');
  // By cell: one that was forgotten begins again when it is played again.
  const live = new Set<number>();
  const scenario: PlatformScenario = {
    ...houseMove,
    *run(stage) {
      live.add(stage.cell.index);
      yield* houseMove.run(stage);
      live.delete(stage.cell.index);
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

// Measures what households cost before their first event, in a child process that reports each figure.
import { measured } from '../built.js';
import { type Measured, median, timeOf } from '../measure.js';
import { run } from './run.js';

const rounds = 9;
const warmUps = 3;
const accounts = 10_000;
const oneDay = 86_400_000;
/** Days of the run whose mean is a usual day. */
const days = 5;

for await (const figure of households()) process.send?.(figure);
process.disconnect();

async function* households(): AsyncIterable<Measured> {
  const figures: { readonly opening: number; readonly past: number; readonly silent: number }[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const figure = { ...costOfCells(round + warmUps + 1), silent: await daysOfSilence(round + warmUps + 1) };
    if (round >= 0) figures.push(figure);
  }
  const of = (name: 'opening' | 'past' | 'silent') => median(figures.map((figure) => figure[name]));
  yield { case: 'opening a household', ratio: of('opening'), unit: 'us' };
  yield { case: "a household's full past", ratio: of('past'), unit: 'us', target: 15 };
  yield { case: 'silent play of what is under way', ratio: of('silent'), unit: 'days', target: 0.5 };
}

/** Returns the mean cost of opening a household, and of its agreements, bills and payments from before the run. */
function costOfCells(seed: number) {
  const { world } = new measured.Plan({ scenario: 'everyday', accounts, seed });
  const indexes = Array.from({ length: accounts }, (_, nth) => nth + 1);
  let cells: ReturnType<typeof measured.openCell>[] = [];
  const opening = timeOf(() => (cells = indexes.map((index) => measured.openCell(world, index))));
  const past = timeOf(() => cells.forEach((cell) => measured.ledgerOf(cell, cell.account).entries));
  return { opening: (opening * 1000) / accounts, past: (past * 1000) / accounts };
}

/** Returns the time until the first event of a population, in usual days. Before it, what is under way is played. */
async function daysOfSilence(seed: number): Promise<number> {
  const begun = performance.now();
  let first = Number.NaN;
  await run({ scenario: 'everyday', accounts, duration: days * oneDay, seed }, () => {
    if (Number.isNaN(first)) first = performance.now();
    return false;
  });
  return (first - begun) / ((performance.now() - first) / days);
}

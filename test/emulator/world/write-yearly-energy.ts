// Writes the quantiles of yearly energy in emulator/world/energy/generated/. Run it with:
//
//     npx tsx test/emulator/world/write-yearly-energy.ts
//
// Each class of supply points has a log-normal distribution with the median and the quartiles of its targets. Energy also
// depends on the household: the script divides what people, dwellings and cars add out of the tables.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dayOf } from '../../../emulator/engine/time.js';
import { settingOf } from '../../../emulator/run/cell-kinds.js';
import { carPerYear } from '../../../emulator/world/energy/energy.js';
import { householdFactor } from '../../../emulator/world/energy/household-factor.js';
import { Traits } from '../../../emulator/world/traits.js';

/** Median in kWh, and upper quartile over median. */
const targets = {
  class1: {
    median: 2700,
    spread: 1.51,
    of: ({ fuels, registers }: Traits) => fuels !== 'gas' && registers === 1,
  },
  class2: { median: 3820, spread: 1.74, of: ({ registers }: Traits) => registers === 2 },
  gas: { median: 11_500, spread: 1.505, of: ({ fuels }: Traits) => fuels !== 'electricity' },
  export: { median: 2400, spread: 1.4, of: undefined },
  business: { median: 9000, spread: 2, of: undefined },
  businessGas: { median: 24_000, spread: 2, of: undefined },
};

const world = { seed: 1, today: dayOf(2026, 3, 2) };
const households = Array.from(
  { length: 60_000 },
  (_, nth) => new Traits(world, nth + 1, settingOf(1, nth + 1)),
).filter(({ business }) => !business);

const knots = Array.from({ length: 65 }, (_, knot) => knot / 64);

function tableOf({ median, spread, of }: (typeof targets)[keyof typeof targets]): number[] {
  const tableWith = (middle: number, width: number) =>
    knots.map(
      (p) => Math.round(middle * width ** (normal(Math.min(0.995, Math.max(0.005, p))) / 0.6745)) * 1000,
    );
  if (of === undefined) return tableWith(median, spread);
  const isElectricity = of !== targets.gas.of;
  const uses = households.filter(of).map((traits, nth) => ({
    // Evenly spread, in no order.
    at: ((nth * 0.618_033_988_75) % 1) * 64,
    factor: householdFactor(traits) / 1_000_000,
    more: isElectricity && traits.car ? carPerYear : 0,
  }));
  let [middle, width] = [median, spread];
  for (let round = 0; round < 30; round++) {
    const table = tableWith(middle, width);
    const found = uses
      .map(({ at, factor, more }) => between(table, at) * factor + more)
      .sort((a, b) => a - b);
    const [low, half, high] = [0.25, 0.5, 0.75].map((p) => found[Math.floor(p * found.length)]) as [
      number,
      number,
      number,
    ];
    middle *= (median * 1000) / half;
    width *= spread / Math.sqrt(high / low);
  }
  return tableWith(middle, width);
}

function between(table: readonly number[], at: number): number {
  const knot = Math.floor(at);
  const low = table[knot] as number;
  return low + ((table[knot + 1] as number) - low) * (at - knot);
}

/** Returns the quantile of the normal distribution, by bisection of its distribution function. */
function normal(p: number): number {
  let [low, high] = [-5, 5];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (distribution(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

/** Integrates the density of the normal distribution from -6 by the midpoint rule. */
function distribution(x: number): number {
  const steps = 400;
  const width = (x + 6) / steps;
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += Math.exp(-((-6 + (step + 0.5) * width) ** 2) / 2);
  return (sum * width) / Math.sqrt(2 * Math.PI);
}

const rows = Object.entries(targets).map(([name, target]) => `  ${name}: [${tableOf(target).join(', ')}],\n`);
const source = `// Written by test/emulator/world/write-yearly-energy.ts; do not edit.

export type EnergyClass = keyof typeof yearlyEnergy;

/** Quantiles of the energy of an average year by class, in Wh: 65 knots. */
export const yearlyEnergy = {
${rows.join('')}} as const;
`;
const folder = resolve(import.meta.dirname, '../../../emulator/world/energy/generated');
writeFileSync(resolve(folder, 'yearly-energy.ts'), source);

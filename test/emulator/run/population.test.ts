import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { defaultStart, type PlanOptions, scenarios } from '../../../emulator/index.js';
import { day, hour, weekday } from '../../../emulator/engine/time.js';
import { london } from '../../../emulator/engine/calendar.js';
import type { Start } from '../../../emulator/engine/simulation.js';
import { encoder } from '../../../emulator/run/encode.js';
import { Plan } from '../../../emulator/run/plan.js';
import { canRunIn, settingOf } from '../../../emulator/run/cell-kinds.js';
import { type Population, populationStarts } from '../../../emulator/run/population.js';
import { shardFilter } from '../../../emulator/run/shard.js';
import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import { type Cell, type CellKind, openCell, worldOf } from '../../../emulator/world/cell.js';
import { cases } from '../../cases.js';

const seed = 1;
const accounts = 10_000;
/** From nine on 2 March to nine on 2 April: the night of every day of the month comes once. */
const days = 31;

/** Everything that begins in a population in those days. */
function startsOf(more: Partial<Population> = {}) {
  const until = defaultStart + days * day;
  const world = worldOf({ seed, start: defaultStart, cells: accounts });
  const population = {
    seed,
    start: defaultStart,
    until,
    accounts,
    scenarios,
    inShard: () => true,
    householdIn: (cell: number) => openCell(world, cell, settingOf(seed, cell)),
    ...more,
  };
  return [...populationStarts(population)].filter(({ at }) => at < until);
}

let starts: Start<Cell, PlatformScenario>[] = [];
beforeAll(() => {
  starts = startsOf();
});

const startsPerDay = (rate: number) => (rate / 100_000) * accounts;

describe('the starts of a population', () => {
  it('come at the rate of their scenario', () => {
    const counts = new Map<string, number>();
    for (const { scenario } of starts) counts.set(scenario.name, (counts.get(scenario.name) ?? 0) + 1);
    const often = scenarios.filter(
      ({ rate = 0, dayOfMonth }) => dayOfMonth === undefined && startsPerDay(rate) * days >= 200,
    );
    expect(often.length).toBeGreaterThan(5);
    for (const { name, rate = 0 } of often) {
      const expected = startsPerDay(rate) * days;
      // Four standard deviations, and what holidays and the first of the month move.
      const tolerance = 4 * Math.sqrt(expected) + 0.06 * expected;
      expect(Math.abs((counts.get(name) ?? 0) - expected), name).toBeLessThan(tolerance);
    }
  });

  it('come once a month in every eligible cell for a day of the month', () => {
    const monthly = scenarios.filter(({ dayOfMonth }) => dayOfMonth !== undefined);
    expect(monthly.map(({ name }) => name).sort()).toEqual([
      'agreement-changes',
      'billing-cycle',
      'debt-path',
    ]);
    const billing = monthly.find(({ name }) => name === 'billing-cycle');
    const cells = starts.filter(({ scenario }) => scenario === billing).map(({ cell }) => cell);
    const expected = Array.from({ length: accounts }, (_, index) => index + 1).filter((cell) =>
      canRunIn(settingOf(seed, cell), 'billed'),
    );
    expect(cells.sort((one, other) => one - other)).toEqual(expected);
  });

  it('follow the week: most on Mondays, none of offices at weekends', () => {
    const perWeekday = (name: string) => {
      const counts = new Array<number>(7).fill(0);
      for (const { at, scenario } of starts) {
        if (scenario.name !== name || at >= defaultStart + 4 * 7 * day) continue;
        counts[weekday(london.dayAt(at))]! += 1;
      }
      return counts;
    };
    const [sunday = 0, monday = 0, ...others] = perWeekday('auth-login');
    expect(monday).toBeGreaterThan(Math.max(...others));
    expect(sunday).toBeLessThan(0.85 * Math.min(...others));

    const [onSunday = 0, ...onOtherDays] = perWeekday('phone-call');
    expect(onSunday).toBe(0);
    expect(Math.min(...onOtherDays)).toBeGreaterThan(0);
    const [, ...ofCampaigns] = perWeekday('campaigns');
    expect(ofCampaigns.map((count) => count > 0)).toEqual([true, true, true, true, true, false]);
  });

  it('come sorted, with distinct instances of a scenario in a cell', () => {
    const instances = new Set<string>();
    let before = 0;
    for (const { at, cell, scenario, ordinal } of starts) {
      if (at < before) expect.fail(`${scenario.name} in ${cell} comes before an earlier one`);
      before = at;
      instances.add(`${scenario.name} ${cell} ${ordinal}`);
    }
    expect(instances.size).toBe(starts.length);
  });

  it('come in cells of the kind that the scenario needs', () => {
    const fitting: Partial<Record<CellKind, readonly CellKind[]>> = {
      household: ['household', 'gas-only', 'driver', 'landlord', 'newcomer', 'occupier', 'executors'],
      'dual-fuel': ['household', 'driver', 'landlord', 'newcomer'],
      'fixed-term': ['household', 'gas-only', 'driver', 'landlord', 'newcomer', 'occupier', 'executors'],
      shared: ['household', 'driver', 'landlord', 'newcomer'],
      driver: ['driver'],
      billed: [
        'household',
        'gas-only',
        'driver',
        'landlord',
        'newcomer',
        'occupier',
        'executors',
        'business',
      ],
      smart: ['household', 'gas-only', 'driver', 'landlord', 'newcomer', 'occupier', 'executors'],
      debtor: ['household', 'gas-only', 'driver', 'landlord', 'newcomer', 'occupier', 'executors'],
      newcomer: ['newcomer'],
      dormant: ['dormant'],
      closed: ['dormant', 'withdrawn'],
      business: ['business'],
      texas: ['texas'],
      platform: ['platform'],
    };
    const seen = new Set<CellKind>();
    const oftenEnough = scenarios.map((scenario) => ({ ...scenario, rate: 100 }));
    for (const { cell, scenario } of startsOf({ scenarios: oftenEnough })) {
      const wanted = scenario.setting ?? 'household';
      seen.add(wanted);
      const isFitting = cell <= accounts && fitting[wanted]?.includes(settingOf(seed, cell));
      if (!isFitting) expect.fail(`${scenario.name} in ${cell}`);
    }
    expect(seen.size).toBe(Object.keys(fitting).length);
  });

  it('continue with the payments of bills from before the run', () => {
    const perDay = new Array<number>(days).fill(0);
    for (const { at, scenario } of starts) {
      if (scenario.name !== 'billing-cycle' || scenarios.includes(scenario)) continue;
      perDay[Math.floor((at - defaultStart) / day)]! += 1;
    }
    const [, first = 0] = perDay;
    // Two thirds of the accounts pay within two weeks of their bill or on a day of their own.
    expect(first).toBeGreaterThan(accounts / 100);
    expect(perDay.at(-1)).toBeLessThan(first);
  });

  it('come in the rest of a night in which the run begins', () => {
    const nightly = (start: number) =>
      startsOf({ start, until: start + 12 * hour }).filter(
        ({ scenario }) => scenario.dayOfMonth !== undefined && scenarios.includes(scenario),
      );
    const midnight = london.instantOf(london.dayAt(defaultStart));
    const cellsOf = (found: typeof starts) => found.map(({ cell }) => cell).sort((a, b) => a - b);
    const begun = nightly(midnight + 3 * hour);
    expect(cellsOf(begun)).toEqual(cellsOf(nightly(midnight)));
    expect(begun.length).toBeGreaterThan(200);
    const instants = begun.map(({ at }) => at - midnight);
    expect(Math.min(...instants)).toBeGreaterThanOrEqual(3 * hour);
    expect(new Set(instants).size).toBeGreaterThan(begun.length * 0.99);
  });

  it('agree with the whole run in every shard', () => {
    const named = ({ at, cell, scenario, ordinal }: Start<Cell, PlatformScenario>) =>
      `${at} ${cell} ${scenario.name} ${ordinal}`;
    const shards = [1, 2, 3].map((index) => startsOf({ inShard: shardFilter({ index, count: 3 }) }));
    expect(shards.flat().map(named).sort()).toEqual(starts.map(named).sort());
  });
});

describe('a population', () => {
  const lines = async (more: Partial<PlanOptions> = {}) => {
    const plan = new Plan({ scenario: 'everyday', accounts: 300, duration: 12 * day, seed, ...more });
    const encode = encoder(openCatalogue(), plan.ordering);
    const bytes: string[] = [];
    for (const occurred of plan.play()) {
      bytes.push(...(await encode(occurred)).map((emission) => emission.bytes.toString()));
    }
    return bytes;
  };

  let whole: string[] = [];
  beforeAll(async () => {
    whole = await lines();
  });

  it('repeats its bytes in the order of ids, and changes them with the seed', async () => {
    expect(whole.length).toBeGreaterThan(1000);
    // Each line begins with its id.
    expect(whole).toEqual(whole.toSorted());
    expect(await lines()).toEqual(whole);
    expect(await lines({ seed: 2 })).not.toEqual(whole);
  });

  it.each([2, 8, 3, 4].slice(0, cases(2, 4)))(
    'matches its %i shards, merged by id, byte for byte',
    async (count) => {
      const indexes = Array.from({ length: count }, (_, index) => index + 1);
      const shards = await Promise.all(indexes.map((index) => lines({ shard: { index, count } })));
      for (const shard of shards) expect(shard.length).toBeGreaterThan(whole.length / count / 2);
      expect(shards.flat().sort()).toEqual(whole);
    },
  );
});

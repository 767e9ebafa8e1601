import { BusbarError } from '../../src/errors.js';
import { london } from '../engine/calendar.js';
import { type Ordering, ordering } from '../engine/identity.js';
import { instantPace, linearPace, type Pace, ratePace, storyPace } from '../engine/pacing.js';
import { type Occurred, simulate } from '../engine/simulation.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { everyday, findScenario, forceBranches } from '../scenarios/find.js';
import { scenarios } from '../scenarios/index.js';
import { openCell, type World } from '../world/cell.js';
import { cellsPerWorld, identifiers } from '../world/identifiers.js';
import type { FaultMask } from './faults/decide.js';
import type { Faults } from './faults/settings.js';
import { populationStarts, settingOf } from './population.js';
import { type Shard, shardFilter } from './shard.js';
import { instanceStarts } from './starts.js';
import { readVariations, type Variation } from './vary/variations.js';
import { varyOrdering } from './vary/vary.js';

/** What a run plays: everything that its bytes depend on, and nothing else. */
export interface PlanOptions {
  /**
   * What happens: names of built-in scenarios, scenarios made with `defineScenario`, or `everyday`: all of them, each
   * at its usual rate, in a population; endless.
   */
  readonly scenario: string | PlatformScenario | readonly (string | PlatformScenario)[];
  /** Default 1. The same seed gives the same bytes. */
  readonly seed?: number;
  /** How many of each scenario, each in a household of its own. Default 1. `everyday` has accounts instead. */
  readonly instances?: number;
  /** How large a population `everyday` runs. Default 1,000. */
  readonly accounts?: number;
  /** The virtual instant at which the run begins, in milliseconds since the epoch. Default {@link defaultStart}. */
  readonly start?: number;
  /** Virtual instant at which the run ends, in milliseconds since the epoch. Default: with its last event. */
  readonly until?: number;
  /** How much virtual time the run covers, in milliseconds; instead of `until`. */
  readonly duration?: number;
  /** Outcomes of branches, instead of drawing them: `{ account: 'new' }`. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Salts the event ids, for consumers that remember those of an earlier run. Default none. */
  readonly runId?: string;
  /** Play only this share of the run, `index` from 1 to `count`; the shares of one run, merged by id, are the run. */
  readonly shard?: Shard;
  /** What goes wrong on the way: `duplicate=1%,reorder=2%:30s`. Default nothing. */
  readonly faults?: Faults;
  /** Leaves single faults out, and changes no other: what looks for the fault that matters needs it. Default none. */
  readonly maskFaults?: FaultMask;
  /** Other legal answers to what the specification leaves open, drawn from the seed. Default none. */
  readonly vary?: readonly Variation[];
}

/** How virtual time passes on the clock on the wall. */
export interface PaceOptions {
  /**
   * `story` (the default) shows every gap in a time that grows with its logarithm, at most five seconds; a number is
   * so many times as fast as the wall clock; `instant` is as fast as the sinks take it.
   */
  readonly speed?: number | 'instant' | 'story';
  /** Events a second, whatever virtual time passes between them; instead of `speed`. */
  readonly rate?: number;
}

/** A run that has not begun. */
export interface Plan {
  readonly ordering: Ordering;
  /** What will occur, in order; nothing happens before it is asked for. */
  readonly occurrences: Iterable<Occurred>;
  /** How often each outcome has been taken so far: `house-move occupier=unknown`. */
  readonly branches: ReadonlyMap<string, number>;
}

/** Monday 2 March 2026, 09:00 in London: a working day four weeks before summer time. */
export const defaultStart = Date.UTC(2026, 2, 2, 9);

/** @throws BusbarError for a scenario, branch or option that does not exist or cannot be. */
export function planRun(options: PlanOptions): Plan {
  const { seed = 1, instances = 1, accounts = 1000, start = defaultStart, branches = {} } = options;
  requireWhole('seed', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  requireWhole('start', start, 0, Date.UTC(2100, 0, 1));
  const named = [options.scenario].flat();
  if (named.length === 0) throw new BusbarError('invalid-option', 'A run needs at least one scenario.');
  const isPopulated = named.includes(everyday);
  const wanted = named
    .filter((each) => each !== everyday)
    .map((each) => (typeof each === 'string' ? findScenario(each) : each));
  requireWhole('accounts', accounts, 1, cellsPerWorld - 1);
  const population = isPopulated ? accounts : 0;
  requireWhole(
    'instances',
    instances,
    1,
    Math.floor((cellsPerWorld - 1 - population) / Math.max(1, wanted.length)),
  );

  const world: World = { seed, identifiers: identifiers(seed), today: london.dayAt(start) };
  const inShard = shardFilter(options.shard);
  const varied = readVariations(options.vary ?? []);
  const plain = ordering(seed, options.runId);
  const order = varied.has('order') ? varyOrdering(plain, seed) : plain;
  const taken = new Map<string, number>();
  const occurrences = simulate({
    seed,
    until: endOf(start, options),
    ordering: order,
    calendar: london,
    starts: merge(
      filter(
        instanceStarts({
          seed,
          start,
          calendar: london,
          scenarios: wanted,
          instances,
          firstCell: population + 1,
        }),
        ({ cell }) => inShard(cell),
      ),
      isPopulated ? populationStarts({ seed, start, accounts, scenarios, inShard }) : [],
    ),
    openCell: ({ cell, scenario }) =>
      openCell(world, cell, cell <= population && isPopulated ? settingOf(seed, cell) : scenario.setting),
    forced: forceBranches(isPopulated ? scenarios : wanted, branches),
    decided(scenario, decisions) {
      for (const [branch, outcome] of Object.entries(decisions)) {
        const name = `${scenario} ${branch}=${outcome}`;
        taken.set(name, (taken.get(name) ?? 0) + 1);
      }
    },
  });
  return { ordering: order, occurrences, branches: taken };
}

/** @throws BusbarError `invalid-option` */
export function paceOf({ speed = 'story', rate }: PaceOptions): Pace {
  if (rate !== undefined) return ratePace(positive('rate', rate));
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return storyPace;
  return linearPace(positive('speed', speed));
}

function endOf(start: number, { until, duration }: PlanOptions): number {
  const end = until ?? (duration === undefined ? Infinity : start + duration);
  if (end > start) return end;
  throw new BusbarError('invalid-option', 'A run must end after it begins: see "until" and "duration".');
}

/** Both in one, by instant. */
function* merge<T extends { readonly at: number }>(
  one: Iterable<T>,
  other: Iterable<T>,
): Generator<T, void, void> {
  const others = other[Symbol.iterator]();
  let next = others.next();
  for (const each of one) {
    for (; !next.done && next.value.at < each.at; next = others.next()) yield next.value;
    yield each;
  }
  for (; !next.done; next = others.next()) yield next.value;
}

function* filter<T>(all: Iterable<T>, wanted: (each: T) => boolean): Generator<T, void, void> {
  for (const each of all) if (wanted(each)) yield each;
}

function positive(option: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new BusbarError('invalid-option', `Option "${option}" must be greater than 0, not ${value}.`);
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `Option "${option}" must be a whole number from ${least} to ${most}, not ${value}.`;
  throw new BusbarError('invalid-option', message);
}

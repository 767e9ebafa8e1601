import { CellCache } from './cell-cache.js';
import {
  advance,
  type CellRun,
  type InstanceStart,
  newCellRun,
  nextTimer,
  type OccurredIn,
  resumeThread,
  startInstance,
} from './cell-run.js';
import type { Ordering } from './identity.js';
import type { Scenario } from './scenario.js';
import { type LoggedStart, StartLog } from './start-log.js';
import type { Instant } from './time.js';
import { earlier, type Timer, TimerQueue } from './timer-queue.js';

export type { TimedOccurrence, OccurredIn } from './cell-run.js';

/** A scheduled start of a scenario in a cell. */
export interface Start<Cell, S extends Scenario<Cell> = Scenario<Cell>> extends InstanceStart<S> {
  readonly cell: number;
}

/**
 * Inputs of a running simulation. The simulation reports its progress and never passes `limit`, so that the instant of an
 * input is always in the future.
 */
export interface SimulationControl<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  /** Instant that the simulation may not pass yet. */
  readonly limit: Instant;
  /** Receives the progress of the simulation. */
  reach(at: Instant): void;
  /** Returns the earliest pending start, which is later than the progress of the simulation. */
  peek(): Start<Cell, S> | undefined;
  /** Removes the start that `peek` returns. */
  take(): void;
}

/** A report that nothing occurs before an instant, unless an input arrives. */
export interface Idle {
  readonly idleUntil: Instant;
}

export interface SimulationOptions<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  readonly seed: number;
  readonly ordering: Ordering;
  /** Planned starts, sorted by instant. The simulation reads one ahead: a million starts take no memory. */
  readonly starts: Iterable<Start<Cell, S>>;
  /** Returns the initial state of the start's cell. Equal calls return equal states. */
  openCell(start: Start<Cell, S>): Cell;
  /** Inputs. With them, the simulation yields {@link Idle} instead of ending. */
  readonly live?: SimulationControl<Cell, S>;
  /** Instant before which occurrences change cells but are not yielded. Default: the beginning of time. */
  readonly from?: Instant;
  /** End of the simulation, exclusive. Default: no end. */
  readonly until?: Instant;
  /** Outcomes instead of drawn ones, by scenario, then branch. */
  readonly forced?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Receives the decisions of every instance that starts. */
  readonly decided?: (scenario: string, decisions: Readonly<Record<string, string>>) => void;
  /** Approximate number of cells in memory. Changes no occurrence. Default {@link defaultCachedCells}. */
  readonly cachedCells?: number;
}

/** About 200 MB of households, at 5 kB each. */
const defaultCachedCells = 40_000;

/**
 * Plays the starts and yields the occurrences in the order of the run (`Ordering`). Evaluates lazily and drops cells that
 * have ended. Above the limit of cells in memory, it also drops those that were idle longest, and replays them from their
 * starts before their next occurrence.
 * @throws BusbarError `scenario-failed` if a scenario throws, or takes too many steps at one instant.
 */
export function simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S> & { readonly live?: never },
): Generator<OccurredIn<Cell>, void, void>;
export function simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S>,
): Generator<OccurredIn<Cell> | Idle, void, void>;
export function* simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S>,
): Generator<OccurredIn<Cell> | Idle, void, void> {
  const { cachedCells = defaultCachedCells, live, from = -Infinity, until = Infinity } = options;
  const queue = new TimerQueue();
  const replayed = new TimerQueue();
  const cache = new CellCache<CellRun<Cell>>(cachedCells);
  const log = new StartLog<S>();
  /** Returns the cell just before the timer. `opening` is the start that opens a new cell. */
  const cellBefore = (timer: Timer, opening?: Start<Cell, S>): CellRun<Cell> => {
    let cell = cache.get(timer.cell, timer.at);
    if (cell === undefined) {
      const starts = log.of(timer.cell);
      const first =
        starts[0] === undefined ? (opening as Start<Cell, S>) : { ...starts[0], cell: timer.cell };
      cell = newCellRun(timer.cell, timer.rank, options.openCell(first));
      replay(cell, starts, timer, replayed, options);
      cache.add(timer.cell, cell, timer.at);
    }
    return cell;
  };
  const begin = (start: Start<Cell, S>) => {
    const rank = options.ordering.rankOf(start.cell);
    const cell = cellBefore({ at: start.at, rank, cell: start.cell, number: 0 }, start);
    const { at, scenario, ordinal, last, branches, input } = start;
    const logged = { at, scenario, ordinal, last, timers: cell.timers, branches, input };
    log.add(start.cell, logged);
    const decisions = startInstance(cell, logged, queue, options);
    if (at >= from) options.decided?.(scenario.name, decisions);
  };

  const starts = options.starts[Symbol.iterator]();
  let planned = starts.next();
  /** Returns the next start. Of two at one instant, the planned start is first. */
  const upcoming = () => {
    const input = live?.peek();
    if (planned.done) return input;
    return input !== undefined && input.at < planned.value.at ? input : planned.value;
  };
  for (;;) {
    // An occurrence before `from` happens at once.
    const limit = Math.max(live?.limit ?? Infinity, from - 1);
    let start = upcoming();
    // A start waits for earlier timers: the order within a cell must not depend on the limit.
    while (start !== undefined && start.at <= limit && start.at <= queue.next) {
      begin(start);
      if (!planned.done && start === planned.value) planned = starts.next();
      else live?.take();
      start = upcoming();
    }
    const next = Math.min(queue.next, start?.at ?? Infinity);
    const timer = next > limit || next >= until ? undefined : queue.pop();
    if (timer === undefined) {
      if (live === undefined) return;
      if (limit < Infinity) live.reach(Math.min(limit, next - 1));
      yield { idleUntil: next >= until ? Infinity : next };
      continue;
    }
    live?.reach(timer.at);
    const cell = cellBefore(timer);
    const thread = resumeThread(cell, timer);
    for (let occurred = advance(thread, queue); occurred !== undefined; ) {
      if (occurred.at >= from) yield occurred;
      occurred = advance(thread, queue);
    }
    if (cell.hasLaterStart) continue;
    // An input may need any cell.
    if (cell.instances === 0 && live === undefined) {
      cache.delete(cell.index);
      log.end(cell.index);
    } else cache.release(cell.index, timer.at, nextTimer(cell));
  }
}

/** Replays a cell's history up to a timer, in the original order, and discards its occurrences. */
function replay<Cell, S extends Scenario<Cell>>(
  cell: CellRun<Cell>,
  starts: readonly LoggedStart<S>[],
  until: Timer,
  queue: TimerQueue,
  options: SimulationOptions<Cell, S>,
): void {
  queue.clear();
  for (let next = 0; ; ) {
    for (let start = starts[next]; start?.timers === cell.timers; start = starts[++next]) {
      startInstance(cell, start, queue, options);
    }
    // Timers from `until` on are in the run's own queue, too.
    const timer = queue.pop();
    if (timer === undefined || !earlier(timer, until)) return;
    const thread = resumeThread(cell, timer);
    while (advance(thread, queue) !== undefined);
  }
}

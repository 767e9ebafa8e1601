import { AwakeCells } from './awake-cells.js';
import type { Calendar } from './calendar.js';
import { advance, awaken, type CellRun, enter, newCellRun, nextWake, type Occurred } from './cell-run.js';
import type { Ordering } from './identity.js';
import type { Scenario } from './scenario.js';
import { type LoggedStart, StartLog } from './start-log.js';
import type { Instant } from './time.js';
import { earlier, type Wake, WakeQueue } from './wake-queue.js';

export type { Occurred } from './cell-run.js';

/** A scenario that begins at an instant in a cell. */
export interface Start<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  readonly at: Instant;
  readonly cell: number;
  readonly scenario: S;
  /** Tells the instances of the scenario in the cell apart; from 1, growing. */
  readonly ordinal: number;
  /** No later start concerns the cell: its state can go when its instances have ended. */
  readonly last: boolean;
  /** Outcomes that this instance takes instead of drawing them. */
  readonly branches?: Readonly<Record<string, string>> | undefined;
  /** What whoever started it from outside has said; `stage.input`. */
  readonly input?: unknown;
}

/**
 * What comes in while a simulation is under way. The simulation tells how far it has got, and plays no further than it
 * is let: so that what comes in late still finds its instant in the future.
 */
export interface Live<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  /** Nothing after this instant is played yet. */
  readonly limit: Instant;
  /** The last instant that has been played. */
  reached: Instant;
  /** The earliest start that waits; every one is after `reached`. */
  peek(): Start<Cell, S> | undefined;
  take(): void;
}

/** A simulation that may not go on, or cannot: nothing will occur before that instant, unless something comes in. */
export interface Idle {
  readonly idleUntil: Instant;
}

export interface SimulationOptions<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  readonly seed: number;
  readonly ordering: Ordering;
  readonly calendar: Calendar;
  /** Sorted by instant. Read one ahead, so that a million starts cost nothing. */
  readonly starts: Iterable<Start<Cell, S>>;
  /** The state of the start's cell before anything happens to it: the same whenever it is asked for. */
  openCell(start: Start<Cell, S>): Cell;
  /** Starts from outside. With it the simulation never ends, but idles. */
  readonly live?: Live<Cell, S>;
  /** Nothing occurs at or after this instant. Default: no end. */
  readonly until?: Instant;
  /** Outcomes to take instead of drawing, by scenario, then branch. */
  readonly forced?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Hears of the decisions of every instance that begins. */
  readonly decided?: (scenario: string, decisions: Readonly<Record<string, string>>) => void;
  /** About how many cells are kept in memory; it changes nothing that occurs. Default {@link defaultAwakeCells}. */
  readonly awakeCells?: number;
}

/** Some 280 MB of households, at 7 kB each. */
export const defaultAwakeCells = 40_000;

/**
 * Plays the starts and yields what occurs, in the order of the run (`Ordering`). Lazy: nothing happens before it is
 * asked for, and what has ended is forgotten. Cells in which nothing happened for the longest time are forgotten too,
 * where there are too many, and played again from their starts when something is about to happen there.
 * @throws BusbarError `scenario-failed` when a scenario throws or never lets time pass.
 */
export function simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S> & { readonly live?: never },
): Generator<Occurred, void, void>;
export function simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S>,
): Generator<Occurred | Idle, void, void>;
export function* simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S>,
): Generator<Occurred | Idle, void, void> {
  const { awakeCells = defaultAwakeCells, live, until = Infinity } = options;
  const queue = new WakeQueue();
  const replayed = new WakeQueue();
  const awake = new AwakeCells<CellRun<Cell>>(awakeCells);
  const log = new StartLog<S>();
  /** The cell as it is just before that wake; `opening` is what it begins with if this is the first. */
  const cellBefore = (wake: Wake, opening?: Start<Cell, S>): CellRun<Cell> => {
    let cell = awake.get(wake.cell, wake.at);
    if (cell === undefined) {
      const starts = log.of(wake.cell);
      const first = starts[0] === undefined ? (opening as Start<Cell, S>) : { ...starts[0], cell: wake.cell };
      cell = newCellRun(wake.cell, wake.place, options.openCell(first));
      replay(cell, starts, wake, replayed, options);
      awake.add(wake.cell, cell, wake.at);
    }
    return cell;
  };
  const begin = (start: Start<Cell, S>) => {
    const place = options.ordering.placeOf(start.cell);
    const cell = cellBefore({ at: start.at, place, cell: start.cell, number: 0 }, start);
    const { at, scenario, ordinal, last, branches, input } = start;
    const logged = { at, scenario, ordinal, last, wakes: cell.wakes, branches, input };
    log.add(start.cell, logged);
    const decisions = enter(cell, logged, queue, options);
    options.decided?.(start.scenario.name, decisions);
  };

  const starts = options.starts[Symbol.iterator]();
  let planned = starts.next();
  /** The next start; of two at one instant the one that was planned. */
  const upcoming = () => {
    const late = live?.peek();
    if (planned.done) return late;
    return late !== undefined && late.at < planned.value.at ? late : planned.value;
  };
  for (;;) {
    const limit = live?.limit ?? Infinity;
    let start = upcoming();
    // Not a moment too early: which of two things in a cell comes first must not depend on when it was let go on.
    while (start !== undefined && start.at <= limit && start.at <= queue.next) {
      begin(start);
      if (!planned.done && start === planned.value) planned = starts.next();
      else live?.take();
      start = upcoming();
    }
    const next = Math.min(queue.next, start?.at ?? Infinity);
    const wake = next > limit || next >= until ? undefined : queue.pop();
    if (wake === undefined) {
      if (live === undefined) return;
      if (limit < Infinity) live.reached = Math.max(live.reached, Math.min(limit, next - 1));
      yield { idleUntil: next >= until ? Infinity : next };
      continue;
    }
    if (live !== undefined) live.reached = wake.at;
    const cell = cellBefore(wake);
    const thread = awaken(cell, wake);
    for (let occurred = advance(thread, queue); occurred !== undefined; ) {
      yield occurred;
      occurred = advance(thread, queue);
    }
    if (cell.returns) continue;
    // Whatever comes from outside may come to any cell.
    if (cell.instances === 0 && live === undefined) {
      awake.delete(cell.index);
      log.end(cell.index);
    } else awake.rest(cell.index, wake.at, nextWake(cell));
  }
}

/** Plays a cell's history in the order in which it was played first, up to a wake; what occurs has been told. */
function replay<Cell, S extends Scenario<Cell>>(
  cell: CellRun<Cell>,
  starts: readonly LoggedStart<S>[],
  until: Wake,
  queue: WakeQueue,
  options: SimulationOptions<Cell, S>,
): void {
  queue.clear();
  for (let next = 0; ; ) {
    for (let start = starts[next]; start?.wakes === cell.wakes; start = starts[++next]) {
      enter(cell, start, queue, options);
    }
    // One that is not played here is in the run's own queue, too.
    const wake = queue.pop();
    if (wake === undefined || !earlier(wake, until)) return;
    const thread = awaken(cell, wake);
    while (advance(thread, queue) !== undefined);
  }
}

import type { Start } from '../engine/simulation.js';
import { StartLog } from '../engine/start-log.js';
import type { Instant } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { Cell } from '../world/cell.js';

type CellStart = Start<Cell, PlatformScenario>;

/** Maximum number of starts in memory, apart from those of one group: about 100 MB. */
const maxKept = 4_000_000;

/**
 * The planned starts of single cells. Cells are drawn in groups, so the starts of a group are kept, and drawn only as far
 * as needed.
 */
export class PlannedStarts {
  readonly #draw: (group: number) => Iterable<CellStart>;
  readonly #maxKept: number;
  readonly #groups = new Map<number, Group>();
  #kept = 0;

  /** @param draw Yields the starts of a group in order. */
  constructor(draw: (group: number) => Iterable<CellStart>, most = maxKept) {
    this.#draw = draw;
    this.#maxKept = most;
  }

  /** Returns the starts of a cell before an instant. */
  of(cell: number, group: number, until: Instant): readonly CellStart[] {
    const drawn = this.#groups.get(group) ?? new Group(this.#draw(group));
    this.#groups.delete(group);
    this.#groups.set(group, drawn);
    this.#kept += drawn.drawUntil(until);
    for (const [oldest, { size }] of this.#groups) {
      if (this.#kept <= this.#maxKept || oldest === group) break;
      this.#groups.delete(oldest);
      this.#kept -= size;
    }
    const starts = drawn.log.of(cell).map((start) => ({ ...start, cell }));
    return starts.filter(({ at }) => at < until);
  }
}

class Group {
  readonly log = new StartLog<PlatformScenario>();
  size = 0;
  readonly #rest: Iterator<CellStart>;
  #next: IteratorResult<CellStart>;

  constructor(starts: Iterable<CellStart>) {
    this.#rest = starts[Symbol.iterator]();
    this.#next = this.#rest.next();
  }

  /** Returns the number of further starts. */
  drawUntil(until: Instant): number {
    const before = this.size;
    for (; !this.#next.done && this.#next.value.at < until; this.#next = this.#rest.next()) {
      this.log.add(this.#next.value.cell, { ...this.#next.value, timers: 0 });
      this.size++;
    }
    return this.size - before;
  }
}

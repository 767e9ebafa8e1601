import { BusbarError } from 'busbar/base';
import { type Day, day, type Instant } from '../engine/time.js';
import type { Identifiers, NumberKind } from './identifiers.js';

/** Allocates the identifiers of a cell in sequence. */
export class CellIds {
  readonly #identifiers: Identifiers;
  readonly #cell: number;
  /** Days from the opening of the cell to the start of its world: 0 in a run. Samples open cells on other days. */
  readonly #shift: number;
  /**
   * Pairs of a kind's slot and its last label, or the number of its allocated identifiers. A list is smaller than a map:
   * most cells use few kinds.
   */
  readonly #last: number[] = [];
  /** Label of the present. */
  #label: number;
  #now: Instant;

  /** @param today The day on which the cell is opened. */
  constructor(identifiers: Identifiers, cell: number, today: Day) {
    this.#identifiers = identifiers;
    this.#cell = cell;
    this.#shift = identifiers.today - today;
    this.#label = identifiers.firstLabel;
    this.#now = this.start;
  }

  /** Start of the run, as the cell sees it: what is before is its past. */
  get start(): Instant {
    return this.#identifiers.start - this.#shift * day;
  }

  /** The present. */
  get now(): Instant {
    return this.#now;
  }

  /** Sets the present. */
  turn(at: Instant): void {
    this.#now = at;
    this.#label = this.#identifiers.labelAt(at + this.#shift * day);
  }

  number(kind: NumberKind): string {
    return this.#identifiers.number(kind, this.#cell, this.#next(numbers, kind, 0, 1));
  }

  /** Returns the id of a new row. @param madeOn The day of a row from the past. Default: now. */
  integer(kind: string, madeOn?: Day): number {
    const label = madeOn === undefined ? this.#label : this.labelOn(Math.min(madeOn, this.#lastDay));
    const { firstLabel } = this.#identifiers;
    const isBefore = label < firstLabel;
    const slots = isBefore && label % 2 === 0 ? earlierIntegers : integers;
    const own = this.#next(slots, kind, label, isBefore ? 2 : 1);
    if (isBefore && own >= firstLabel) {
      throw new BusbarError('capacity-exceeded', `A cell has too many ids "${kind}" from before the run.`);
    }
    return this.#identifiers.integer(kind, this.#cell, own);
  }

  /** The last day before the run. */
  get #lastDay(): Day {
    return this.#identifiers.today - 1 - this.#shift;
  }

  labelOn(date: Day): number {
    return this.#identifiers.labelOn(date + this.#shift);
  }

  uuid(kind: string): string {
    return this.#identifiers.uuid(kind, this.#cell, this.#next(uuids, kind, 0, 1));
  }

  /** Returns the next number of a kind: at least `label`, and `step` more than the last. */
  #next(slots: Map<string, number>, kind: string, label: number, step: number): number {
    const list = this.#last;
    const slot = slotOf(slots, kind);
    for (let at = 0; at < list.length; at += 2) {
      if (list[at] === slot) return (list[at + 1] = Math.max(label, (list[at + 1] as number) + step));
    }
    list.push(slot, label);
    return label;
  }
}

// Slot numbers of the kinds, shared by all cells. Identifiers do not depend on them.
const numbers = new Map<string, number>();
const integers = new Map<string, number>();
const earlierIntegers = new Map<string, number>();
const uuids = new Map<string, number>();

function slotOf(slots: Map<string, number>, kind: string): number {
  let slot = slots.get(kind);
  if (slot === undefined) {
    slots.set(kind, (slot = numbers.size + integers.size + earlierIntegers.size + uuids.size));
  }
  return slot;
}

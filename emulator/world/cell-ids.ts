import type { Identifiers, NumberKind } from './identifiers.js';

/** Hands out the identifiers of a cell, one after the other. */
export class CellIds {
  readonly #identifiers: Identifiers;
  readonly #cell: number;
  /** The slots of the kinds that it was asked for, few in most cells, each followed by how many were taken. */
  readonly #taken: number[];

  /**
   * The first `properties` and `supplyPoints` of these integers are left out: they belong to something that is made when
   * it is looked at.
   */
  constructor(identifiers: Identifiers, cell: number, properties: number, supplyPoints: number) {
    this.#identifiers = identifiers;
    this.#cell = cell;
    this.#taken = [slotOf(integers, 'property'), properties, slotOf(integers, 'supply point'), supplyPoints];
  }

  number(kind: NumberKind): string {
    return this.#identifiers.number(kind, this.#cell, this.#take(numbers, kind));
  }

  integer(kind: string): number {
    return this.#identifiers.integer(kind, this.#cell, this.#take(integers, kind));
  }

  uuid(kind: string): string {
    return this.#identifiers.uuid(kind, this.#cell, this.#take(uuids, kind));
  }

  #take(slots: Map<string, number>, kind: string): number {
    const taken = this.#taken;
    const slot = slotOf(slots, kind);
    for (let at = 0; at < taken.length; at += 2) {
      if (taken[at] !== slot) continue;
      const count = taken[at + 1] as number;
      taken[at + 1] = count + 1;
      return count;
    }
    taken.push(slot, 1);
    return 0;
  }
}

// A number for each kind, for all cells alike: a list of numbers is a quarter of a map. Says nothing about a cell, and
// what comes of it does not depend on the order in which kinds are met.
const numbers = new Map<string, number>();
const integers = new Map<string, number>();
const uuids = new Map<string, number>();

function slotOf(slots: Map<string, number>, kind: string): number {
  let slot = slots.get(kind);
  if (slot === undefined) slots.set(kind, (slot = numbers.size + integers.size + uuids.size));
  return slot;
}

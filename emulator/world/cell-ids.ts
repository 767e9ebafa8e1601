import type { Identifiers, NumberKind } from './identifiers.js';

/** Allocates the identifiers of a cell in sequence. */
export class CellIds {
  readonly #identifiers: Identifiers;
  readonly #cell: number;
  /** Pairs of a kind's slot and its number of allocated identifiers. A list is smaller than a map: most cells use few kinds. */
  readonly #counts: number[];

  /**
   * @param properties Property ids to skip: they belong to the lazily created homes.
   * @param supplyPoints Supply point ids to skip, for the same reason.
   */
  constructor(identifiers: Identifiers, cell: number, properties: number, supplyPoints: number) {
    this.#identifiers = identifiers;
    this.#cell = cell;
    this.#counts = [slotOf(integers, 'property'), properties, slotOf(integers, 'supply point'), supplyPoints];
  }

  number(kind: NumberKind): string {
    return this.#identifiers.number(kind, this.#cell, this.#allocate(numbers, kind));
  }

  integer(kind: string): number {
    return this.#identifiers.integer(kind, this.#cell, this.#allocate(integers, kind));
  }

  uuid(kind: string): string {
    return this.#identifiers.uuid(kind, this.#cell, this.#allocate(uuids, kind));
  }

  #allocate(slots: Map<string, number>, kind: string): number {
    const counts = this.#counts;
    const slot = slotOf(slots, kind);
    for (let at = 0; at < counts.length; at += 2) {
      if (counts[at] !== slot) continue;
      const count = counts[at + 1] as number;
      counts[at + 1] = count + 1;
      return count;
    }
    counts.push(slot, 1);
    return 0;
  }
}

// Slot numbers of the kinds, shared by all cells. Identifiers do not depend on them.
const numbers = new Map<string, number>();
const integers = new Map<string, number>();
const uuids = new Map<string, number>();

function slotOf(slots: Map<string, number>, kind: string): number {
  let slot = slots.get(kind);
  if (slot === undefined) slots.set(kind, (slot = numbers.size + integers.size + uuids.size));
  return slot;
}

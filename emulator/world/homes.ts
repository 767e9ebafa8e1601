import type { Cell, Property } from './cell.js';
import { cellState } from './cell-state.js';

/** A home of the cell that nobody lives in as our customer, or is about to; undefined when there is none left. */
export function freeHome(cell: Cell): Property | undefined {
  const lived = cell.accounts.flatMap(({ occupancies }) =>
    occupancies.filter(({ to }) => to === undefined).map(({ property }) => property),
  );
  return cell.properties.find((property) => !lived.includes(property) && !awaited.of(cell).has(property));
}

/** Somebody is about to become our customer there. */
export function reserveHome(cell: Cell, property: Property): void {
  awaited.of(cell).add(property);
}

/** They live there now, or are not coming. */
export function releaseHome(cell: Cell, property: Property): void {
  awaited.of(cell).delete(property);
}

const awaited = cellState<Set<Property>>(() => new Set());

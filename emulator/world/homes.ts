import type { Cell, Property } from './cell.js';
import { cellState } from './cell-state.js';

/** Returns a home of the cell without a customer or a reservation, or undefined if there is none. */
export function freeHome(cell: Cell): Property | undefined {
  const lived = cell.accounts.flatMap(({ occupancies }) =>
    occupancies.filter(({ to }) => to === undefined).map(({ property }) => property),
  );
  return cell.properties.find((property) => !lived.includes(property) && !reserved.of(cell).has(property));
}

/** Reserves a home for an account that is joining. */
export function reserveHome(cell: Cell, property: Property): void {
  reserved.of(cell).add(property);
}

/** Releases a reserved home when the account has joined, or will not. */
export function releaseHome(cell: Cell, property: Property): void {
  reserved.of(cell).delete(property);
}

const reserved = cellState<Set<Property>>(() => new Set());

import type { Cell } from './cell.js';

/** What one part of the platform knows about a cell, beside what the cell itself holds. */
export interface CellState<T> {
  /** Made when it is first asked for; forgotten with the cell. */
  of(cell: Cell): T;
}

/**
 * Keeps a part's own state per cell, so that conversations, devices or contracts cost nothing in the cells without.
 *
 *     const devices = cellState<Device[]>(() => []);
 *     devices.of(cell).push(device);
 */
export function cellState<T>(create: (cell: Cell) => T): CellState<T> {
  const states = new WeakMap<Cell, T>();
  return {
    of(cell) {
      let state = states.get(cell);
      if (state === undefined) {
        state = create(cell);
        states.set(cell, state);
      }
      return state;
    },
  };
}

/** What one part of the platform knows about each account, user, ... of a cell. */
export interface OwnedState<Owner, T> {
  /** Made when it is first asked for; forgotten with its owner. */
  of(cell: Cell, owner: Owner): T;
}

/**
 * As {@link cellState}, for each owner within a cell.
 *
 *     const permissions = ownedState<Account, Permission>((cell, account) => ({ ... }));
 *     permissions.of(cell, account).granted = true;
 */
export function ownedState<Owner extends WeakKey, T>(
  create: (cell: Cell, owner: Owner) => T,
): OwnedState<Owner, T> {
  const states = new WeakMap<Owner, T>();
  return {
    of(cell, owner) {
      let state = states.get(owner);
      if (state === undefined) states.set(owner, (state = create(cell, owner)));
      return state;
    },
  };
}

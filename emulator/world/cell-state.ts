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
  const part = {
    of(cell: Cell): T {
      const { parts } = cell;
      for (let at = 0; at < parts.length; at += 2) if (parts[at] === part) return parts[at + 1] as T;
      const state = create(cell);
      parts.push(part, state);
      return state;
    },
  };
  return part;
}

/** What one part of the platform knows about each account, user, ... of a cell. */
export interface OwnedState<Owner, T> {
  /** Made when it is first asked for; forgotten with the cell. */
  of(cell: Cell, owner: Owner): T;
}

/**
 * As {@link cellState}, for each owner within a cell.
 *
 *     const permissions = ownedState<Account, Permission>((cell, account) => ({ ... }));
 *     permissions.of(cell, account).granted = true;
 */
export function ownedState<Owner, T>(create: (cell: Cell, owner: Owner) => T): OwnedState<Owner, T> {
  const states = cellState(() => new Map<Owner, T>());
  return {
    of(cell, owner) {
      const known = states.of(cell);
      let state = known.get(owner);
      if (state === undefined) known.set(owner, (state = create(cell, owner)));
      return state;
    },
  };
}

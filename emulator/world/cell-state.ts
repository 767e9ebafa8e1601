import type { Cell } from './cell.js';

/** State of one part of the platform about each cell. */
interface CellState<T, C> {
  /** Returns the state of the cell, created on first use and discarded with the cell. */
  of(cell: C): T;
}

/**
 * Keeps state per cell, so that conversations, devices or contracts cost nothing in cells without them.
 *
 *     const devices = cellState<Device[]>(() => []);
 *     devices.of(cell).push(device);
 */
export function cellState<T, C extends Pick<Cell, 'parts'> = Cell>(create: (cell: C) => T): CellState<T, C> {
  const part = {
    of(cell: C): T {
      const { parts } = cell;
      for (let at = 0; at < parts.length; at += 2) if (parts[at] === part) return parts[at + 1] as T;
      const state = create(cell);
      parts.push(part, state);
      return state;
    },
  };
  return part;
}

/** State of one part of the platform about each account, user or other object of a cell. */
export interface OwnedState<Owner, T> {
  /** Returns the state of the owner, created on first use and discarded with the cell. */
  of(cell: Cell, owner: Owner): T;
}

/**
 * Keeps state per owner within a cell, like {@link cellState}.
 *
 *     const permissions = ownedState<Account, Permission>((cell, account) => ({ ... }));
 *     permissions.of(cell, account).granted = true;
 */
export function ownedState<Owner, T>(create: (cell: Cell, owner: Owner) => T): OwnedState<Owner, T> {
  // A chain is smaller than a list or a map, and as fast: a cell has few owners.
  const states = cellState((): { newest: Owned<Owner, T> | undefined } => ({ newest: undefined }));
  return {
    of(cell, owner) {
      const known = states.of(cell);
      for (let each = known.newest; each !== undefined; each = each.before)
        if (each.owner === owner) return each.state;
      const state = create(cell, owner);
      known.newest = { owner, state, before: known.newest };
      return state;
    },
  };
}

/** The state of an owner, and that of the owner before. */
interface Owned<Owner, T> {
  readonly owner: Owner;
  readonly state: T;
  readonly before: Owned<Owner, T> | undefined;
}

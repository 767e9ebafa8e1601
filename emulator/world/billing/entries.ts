import { london } from '../../engine/calendar.js';
import type { Day } from '../../engine/time.js';
import type { Cell, ChargedSupply, EntryKind, Ledger, LedgerEntry } from '../cell.js';

export interface NewEntry {
  readonly kind: EntryKind;
  /** Pence. */
  readonly amount: number;
  readonly sourceId?: number | undefined;
  /** Default: the kind. `DATA_IMPORT` for an imported entry. */
  readonly sourceType?: string;
  /** The entry that this one reverses, for example a returned direct debit. */
  readonly reverses?: LedgerEntry;
  /** The energy that is charged. Default none. */
  readonly energy?: ChargedSupply;
}

/** Adds an entry to a ledger, without publishing it. @param on The day of an entry from before the run. Default: now. */
export function addEntry(cell: Cell, { entries }: Ledger, added: NewEntry, on?: Day): LedgerEntry {
  const { kind, amount, sourceId, sourceType = kind.toUpperCase(), reverses, energy } = added;
  const entry: LedgerEntry = {
    id: cell.ids.integer('ledger entry', on),
    kind,
    amount,
    on: on ?? london.dayAt(cell.ids.now),
    sourceType,
    sourceId,
    reverses,
    isReversed: false,
    energy,
  };
  if (reverses !== undefined) reverses.isReversed = true;
  entries.push(entry);
  return entry;
}

/** Returns the balance of the ledger in pence: positive for a debt, negative for a credit. */
export function balance({ entries }: Ledger): number {
  return entries.reduce((sum, { kind, amount, reverses }) => {
    const owed = kind === 'charge' || kind === 'repayment' ? amount : -amount;
    return sum + (reverses === undefined ? owed : -owed);
  }, 0);
}

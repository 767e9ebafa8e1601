import type { Day } from '../../engine/time.js';
import { chargeOf } from '../energy/charge.js';
import type { Cell, ChargedSupply, EntryKind, Ledger, LedgerEntry } from '../cell.js';

/** Pence, or what computes them: most amounts are never read. What they depend on must not change. */
export type Pence = number | { readonly amount: number };

export function valueOf(pence: Pence): number {
  return typeof pence === 'number' ? pence : pence.amount;
}

/** Pence that a function computes. */
export class Computed {
  readonly #compute: () => number;

  constructor(compute: () => number) {
    this.#compute = compute;
  }

  get amount(): number {
    return this.#compute();
  }
}

export interface NewEntry {
  readonly kind: EntryKind;
  /** Default: the cost of the energy. */
  readonly amount?: Pence;
  readonly sourceId?: number | undefined;
  /** Default: the kind, in capitals. `DATA_IMPORT` for an imported entry. */
  readonly sourceType?: string;
  /** The entry that this one reverses, for example a returned direct debit. */
  readonly reverses?: LedgerEntry;
  /** The energy that is charged. Default none. */
  readonly energy?: ChargedSupply;
}

/** Adds an entry to a ledger, without publishing it. @param on The day of an entry from before the run. Default: now. */
export function addEntry(cell: Cell, ledger: Ledger, added: NewEntry, on?: Day): LedgerEntry {
  const entry = new Entry(cell, on ?? cell.today, cell.ids.integer('ledger entry', on), added);
  if (added.reverses !== undefined) added.reverses.isReversed = true;
  ledger.add(entry);
  return entry;
}

class Entry implements LedgerEntry {
  readonly id: number;
  readonly kind: EntryKind;
  readonly on: Day;
  readonly sourceType: string;
  readonly sourceId: number | undefined;
  readonly reverses: LedgerEntry | undefined;
  isReversed = false;
  readonly energy: ChargedSupply | undefined;
  readonly #cell: Cell;
  #amount: Pence | undefined;

  constructor(
    cell: Cell,
    on: Day,
    id: number,
    { kind, amount, sourceId, sourceType, reverses, energy }: NewEntry,
  ) {
    this.id = id;
    this.kind = kind;
    this.on = on;
    this.sourceType = sourceType ?? kind.toUpperCase();
    this.sourceId = sourceId;
    this.reverses = reverses;
    this.energy = energy;
    this.#cell = cell;
    this.#amount = amount;
  }

  get amount(): number {
    return (this.#amount = this.#amount === undefined ? this.#cost : valueOf(this.#amount));
  }

  get #cost(): number {
    return this.energy === undefined ? 0 : chargeOf(this.#cell, this.energy);
  }
}

/** Returns an entry that takes back another one, for example a returned direct debit. */
export function reversalOf(entry: LedgerEntry): NewEntry {
  const { kind, sourceId } = entry;
  return { kind, amount: entry, sourceId, reverses: entry };
}

/** Returns the balance of the ledger in pence: positive for a debt, negative for a credit. */
export function balance({ entries }: Pick<Ledger, 'entries'>): number {
  return entries.reduce((sum, { kind, amount, reverses }) => {
    const owed = kind === 'charge' || kind === 'repayment' ? amount : -amount;
    return sum + (reverses === undefined ? owed : -owed);
  }, 0);
}

/** Returns the pence that are owed but not overdue: negative for a credit. */
export function owedNotOverdue(ledger: Pick<Ledger, 'entries' | 'position'>): number {
  return balance(ledger) - ledger.position;
}

import type { Supply } from './books.js';

/** Where an account's charges and payments are kept; its number never changes. */
export interface Ledger {
  readonly number: string;
  readonly entries: LedgerEntry[];
  /** Overdue debt in pence, as the platform last published it. */
  position: number;
}

export interface LedgerEntry {
  readonly id: number;
  readonly kind: EntryKind;
  /** Pence, never negative. */
  readonly amount: number;
  /** What it came from, as the payment behind a payment entry. */
  readonly sourceId: number | undefined;
  readonly sourceType: string;
  /** The entry that this one takes back. */
  readonly reverses: LedgerEntry | undefined;
  isReversed: boolean;
  /** The supply whose energy it charges, where it does. */
  readonly energy: Supply | undefined;
}

export type EntryKind = 'charge' | 'credit' | 'payment' | 'repayment';

/** What the account owes by its ledger, in pence; negative when it is in credit. */
export function balance({ entries }: Ledger): number {
  return entries.reduce((sum, { kind, amount, reverses }) => {
    const owed = kind === 'charge' || kind === 'repayment' ? amount : -amount;
    return sum + (reverses === undefined ? owed : -owed);
  }, 0);
}

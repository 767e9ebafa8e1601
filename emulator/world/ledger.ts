import type { Ledger } from './cell.js';

/** Returns the balance of the ledger in pence: positive for a debt, negative for a credit. */
export function balance({ entries }: Ledger): number {
  return entries.reduce((sum, { kind, amount, reverses }) => {
    const owed = kind === 'charge' || kind === 'repayment' ? amount : -amount;
    return sum + (reverses === undefined ? owed : -owed);
  }, 0);
}

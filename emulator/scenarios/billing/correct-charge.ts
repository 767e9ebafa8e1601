import { after, type Steps } from '../../engine/scenario.js';
import { ledgerOf } from '../../world/billing/books.js';
import { totalOf } from '../../world/billing/charges.js';
import type { Bill, Books } from '../../world/billing/dues.js';
import { postCharge, removeEntry } from '../../world/billing/ledger.js';
import type { Account, ChargedSupply, Ledger, LedgerEntry } from '../../world/cell.js';
import { correctEnergy, isAsExpected } from '../../world/energy/energy.js';
import { emit, type Context } from '../define.js';
import { triggerCharge } from './final-bill.js';

/** A charge on a bill. */
export interface BilledCharge {
  readonly bill: Bill;
  readonly charge: LedgerEntry;
  readonly energy: ChargedSupply;
}

/** Returns the newest charge on a bill that fits, or undefined. */
export function findCharge(
  { bills }: Books,
  fits: (energy: ChargedSupply) => boolean,
): BilledCharge | undefined {
  for (const bill of bills.toReversed()) {
    for (const charge of bill.charges) {
      const { energy } = charge;
      if (energy !== undefined && fits(energy)) return { bill, charge, energy };
    }
  }
  return undefined;
}

/**
 * Takes a charge back and makes it again for the same period, with a few percent more or less energy. Returns false, and
 * changes nothing, if the charge or its energy was corrected before. The next payment pays the difference, too.
 */
export function* correctCharge(
  context: Context,
  account: Account,
  books: Books,
  { bill, charge, energy }: BilledCharge,
  reason: 'REBILL' | 'ERROR_CORRECTION',
): Steps<boolean> {
  const { cell, random } = context;
  const ledger = ledgerOf(cell, account);
  if (!ledger.entries.includes(charge) || !isAsExpected(cell, energy)) return false;
  const share = random.integer(20, 120) * (random.chance(0.5) ? 1 : -1);
  yield* emit(removeEntry(account, charge, reason));
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* triggerCharge(account, energy);
  fixAmounts(ledger, bill);
  correctEnergy(cell, energy, share);
  const { entry, posted } = postCharge(cell, account, energy);
  bill.charges.splice(bill.charges.indexOf(charge), 1, entry);
  books.isCorrected = true;
  yield* emit(posted);
  return true;
}

/** Computes what was charged, credited and paid so far: a correction of the energy changes none of it. */
function fixAmounts(ledger: Ledger, bill: Bill): void {
  totalOf([...ledger.entries, bill]);
}

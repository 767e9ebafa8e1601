import { after, type Branches, type Stage, type Steps } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import { booksOf, type Charge, draftBill, supplyDuring } from '../../world/books.js';
import type { Account, Cell } from '../../world/cell.js';
import { issueFinalBill } from '../../world/changes/billing.js';
import { postCharge, triggerCharging } from '../../world/changes/charging.js';
import { energyCost } from '../../world/energy-cost.js';
import { emit } from '../define.js';

/**
 * The last bill of an account whose supply ended at midnight at the start of that day: the energy since its last bill
 * is charged, supply point by supply point, however short that was; then comes the bill.
 */
export function* billFinally(stage: Stage<Cell, Branches>, account: Account, endedOn: Day): Steps {
  const { cell, random } = stage;
  const books = booksOf(cell, account, endedOn);
  // Where the account lives on elsewhere, its bill of the month may have been quicker.
  const period = { from: books.billedTo, to: Math.max(books.billedTo, endedOn) };
  books.billedTo = period.to;
  const charges: Charge[] = [];
  for (const supply of supplyDuring(account, period)) {
    yield* emit(triggerCharging(account, supply));
    yield* after({ seconds: 1 }, { seconds: 20 });
    const { charge, posted } = postCharge(cell, account, supply, energyCost(supply, random));
    charges.push(charge);
    yield* emit(posted);
    yield* after({ milliseconds: 200 }, { seconds: 5 });
  }
  const amount = charges.reduce((sum, { entry }) => sum + entry.amount, 0);
  yield* emit(issueFinalBill(account, books, draftBill(cell, { ...period, charges, amount })));
}

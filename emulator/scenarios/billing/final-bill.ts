import { after, type Branches, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import { booksOf, type Charge, draftBill, energyCost, supplyDuring } from '../../world/billing/books.js';
import type { Account, Cell, Supply } from '../../world/cell.js';
import { issueFinalBill } from '../../world/billing/bills.js';
import { postCharge, triggerCharging } from '../../world/billing/ledger.js';
import { emit } from '../define.js';

type Billing = Pick<ScenarioContext<Cell, Branches>, 'cell' | 'random'>;

export function* chargeSupply({ cell, random }: Billing, account: Account, supply: Supply): Steps<Charge> {
  yield* emit(triggerCharging(account, supply));
  yield* after({ seconds: 1 }, { seconds: 20 });
  const { charge, posted } = postCharge(cell, account, supply, energyCost(supply, random));
  yield* emit(posted);
  return charge;
}

/** Charges the energy up to midnight at the start of the day on which supply ended, then issues the final bill. */
export function* issueLastBill(stage: Billing, account: Account, endedOn: Day): Steps {
  const { cell } = stage;
  const books = booksOf(cell, account, endedOn);
  // A monthly bill can be later than the end of supply if the account is on supply at another home.
  const period = { from: books.billedTo, to: Math.max(books.billedTo, endedOn) };
  books.billedTo = period.to;
  const charges: Charge[] = [];
  for (const supply of supplyDuring(account, period)) {
    charges.push(yield* chargeSupply(stage, account, supply));
    yield* after({ milliseconds: 200 }, { seconds: 5 });
  }
  const amount = charges.reduce((sum, { entry }) => sum + entry.amount, 0);
  yield* emit(issueFinalBill(account, books, draftBill(cell, { ...period, charges, amount })));
}

import { after, type Steps } from '../../engine/scenario.js';
import { ledgerOf } from '../../world/billing/books.js';
import { changeDebtPosition, postPayment } from '../../world/billing/ledger.js';
import { allocations, type Debt } from '../../world/debt/debt.js';
import { emit, type Context } from '../define.js';

/** Pays at least the overdue debt, and allocates the debt, unless a deposit has paid it. @param amount Pence. */
export function* payDebt({ cell }: Context, { account, due }: Debt, amount: number): Steps {
  if (ledgerOf(cell, account).position < due.overdue) return;
  const { entry, posted } = postPayment(cell, account, 'payment', amount);
  due.payment = entry;
  yield* emit(posted);
  yield* after({ minutes: 1 }, { hours: 6 });
  for (const allocated of allocations(cell, account, due)) yield* emit(allocated);
  yield* after({ hours: 1 }, { days: 1 }, 'night');
  yield* emit(changeDebtPosition(cell, account, -due.overdue));
}

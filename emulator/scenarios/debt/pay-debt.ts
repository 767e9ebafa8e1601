import { after, type Branches, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { ledgerOf } from '../../world/billing/books.js';
import { changeDebtPosition, postEntry } from '../../world/billing/ledger.js';
import type { Cell } from '../../world/cell.js';
import { allocations, type Debt } from '../../world/debt/debt.js';
import { emit } from '../define.js';

/** Pays at least the overdue debt, and allocates the debt, unless a deposit has paid it. @param amount Pence. */
export function* payDebt(
  { cell }: Pick<ScenarioContext<Cell, Branches>, 'cell'>,
  { account, due }: Debt,
  amount: number,
): Steps {
  if (ledgerOf(cell, account).position < due.overdue) return;
  const payment = { kind: 'payment', amount, sourceId: cell.ids.integer('payment') } as const;
  const { entry, posted } = postEntry(cell, account, payment);
  due.payment = entry;
  yield* emit(posted);
  yield* after({ minutes: 1 }, { hours: 6 });
  for (const allocated of allocations(cell, account, due)) yield* emit(allocated);
  yield* after({ hours: 1 }, { days: 1 }, 'night');
  yield* emit(changeDebtPosition(cell, account, -due.overdue));
}

import { type Steps, until } from '../../engine/scenario.js';
import { isOnSupply } from '../../world/billing/books.js';
import { type Due, takeStep } from '../../world/billing/dues.js';
import { announceDebtPosition, announceEntry } from '../../world/billing/ledger.js';
import { paymentPlan } from '../../world/billing/payments.js';
import type { Account } from '../../world/cell.js';
import { allocations } from '../../world/debt/debt.js';
import { emit, type Context } from '../define.js';

/** Plays what becomes of a bill. The debt path, or the last bill, can take it over in between. */
export function* settle({ cell, calendar }: Context, account: Account, due: Due): Steps {
  const isPrepaid = paymentPlan(cell) === 'prepaid';
  for (let [next] = due.steps; next !== undefined; [next] = due.steps) {
    yield* until(next.at);
    if (due.steps.shift() === undefined) return;
    // The meter of a home that was left gets no top-ups.
    const isTopUp = isPrepaid && !due.isLast;
    if (isTopUp && !isOnSupply(account, calendar.dayAt(next.at))) continue;
    // The debt of an account that pays in time need not be computed.
    const changesDebt = next.does === 'fall-behind' || next.does === 'catch-up';
    const before = changesDebt ? account.ledger.position : 0;
    const entry = takeStep(cell, account, due, next);
    if (entry !== undefined) yield* emit(announceEntry(account, entry));
    if (changesDebt && account.ledger.position !== before)
      yield* emit(announceDebtPosition(cell, account, before));
    if (next.does === 'allocate')
      for (const allocated of allocations(cell, account, due)) yield* emit(allocated);
  }
}

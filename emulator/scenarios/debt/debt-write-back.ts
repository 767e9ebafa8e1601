import { after } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/billing/books.js';
import { leastDebt, overdueOf } from '../../world/billing/dues.js';
import { paymentPlan } from '../../world/billing/payments.js';
import { completeWriteBack, debtRecords, failWriteBack, skipWriteBack } from '../../world/debt/debt.js';
import { changeDebtPosition, postEntry } from '../../world/billing/ledger.js';
import { defineScenario, emit } from '../define.js';

export const debtWriteBack = defineScenario({
  name: 'debt-write-back',
  title: 'A debt that was given up is owed again',
  description:
    'In the first night of a month, the platform looks for debts that were written off and whose account can pay ' +
    'again. The amount is charged again; some accounts are skipped, and now and then a ledger is locked.',
  rate: 1.5,
  setting: 'billed',
  starts: 'month-start-night',
  needsSupply: true,
  branches: { outcome: { completed: 0.7, skipped: 0.25, failed: 0.05 } },
  *run({ cell, random, branch }) {
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const record = debtRecords.of(cell, account);
    if (record.writtenOff === 0) return yield* emit(skipWriteBack(account, 'NO_WRITE_OFF_FOUND'));
    if (record.writtenOff < leastDebt) return yield* emit(skipWriteBack(account, 'BELOW_THRESHOLD'));
    // Top-ups would pay the debt, but not lower what is overdue.
    if (paymentPlan(cell) === 'prepaid') return yield* emit(skipWriteBack(account, 'ACTIVE_PAYMENT_PLAN'));
    if (branch.outcome === 'skipped') {
      const reason = random.weighted({ BELOW_THRESHOLD: 2, ACTIVE_PAYMENT_PLAN: 1 });
      return yield* emit(skipWriteBack(account, reason));
    }
    if (branch.outcome === 'failed') return yield* emit(failWriteBack(account));
    const amount = record.writtenOff;
    yield* emit(completeWriteBack(account, record));
    yield* after({ seconds: 1 }, { minutes: 1 });
    const { entry, posted } = postEntry(cell, account, { kind: 'charge', amount });
    yield* emit(posted);
    yield* after({ seconds: 1 }, { minutes: 1 });
    const overdue = overdueOf(account, { amount, charges: [entry] });
    if (overdue > 0) yield* emit(changeDebtPosition(cell, account, overdue));
  },
});

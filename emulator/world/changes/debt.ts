import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { DebtRecord } from '../debt.js';
import type { LedgerEntry } from '../ledger.js';
import { occurrence } from '../occurrence.js';
import { type WriteBackFailure, type writeBackSkips, writeBackFailures } from '../vocabulary/debt.js';

/** A payment is set against a charge, in pence: never more than either is. */
export function allocatePayment(
  cell: Cell,
  { number, ledger }: Account,
  allocation: {
    readonly payment: LedgerEntry;
    readonly charge: LedgerEntry;
    readonly amount: number;
    readonly at: Instant;
  },
): Occurrence {
  const { payment, charge, amount, at } = allocation;
  return occurrence('delinquent_debt.allocation_created', number, {
    v1: {
      ledger_number: ledger.number,
      account_number: number,
      allocation_identifier: cell.ids.uuid('allocation'),
      amount,
      reason: 'PAYMENT',
      created_at: formatInstant(at),
      fulfilment: { source_type: payment.sourceType, source_identifier: String(payment.id) },
      obligation: { source_type: charge.sourceType, source_identifier: String(charge.id) },
      payout: {},
    },
  });
}

/** What was given up is owed again: nothing is left that could be taken up a second time. */
export function completeWriteBack(account: Account, record: DebtRecord): Occurrence {
  const amount = record.writtenOff;
  record.writtenOff = 0;
  return occurrence('debt.actioning.automated_debt_write_back.completed', account.number, {
    v1: { ...name(account), amount },
  });
}

export function skipWriteBack(account: Account, reason: keyof typeof writeBackSkips): Occurrence {
  return occurrence('debt.actioning.automated_debt_write_back.skipped', account.number, {
    v1: { ...name(account), reason },
  });
}

export function failWriteBack(account: Account, reason: WriteBackFailure): Occurrence {
  return occurrence('debt.actioning.automated_debt_write_back.failed', account.number, {
    v1: { ...name(account), reason, exception: writeBackFailures[reason] },
  });
}

function name({ number, ledger }: Account) {
  return { ledger_number: ledger.number, account_number: number };
}

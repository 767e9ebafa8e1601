import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell, LedgerEntry } from '../cell.js';
import type { DebtRecord } from '../debt.js';
import { occurrence } from '../occurrence.js';

/** Allocates pence of a payment to a charge: never more than either amount. */
export function allocatePayment(
  cell: Cell,
  { number, ledger }: Account,
  allocation: {
    readonly payment: LedgerEntry;
    readonly charge: LedgerEntry;
    readonly amount: number;
    readonly at: Instant;
  },
) {
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

/** Writes back the debt that was written off. */
export function completeWriteBack(account: Account, record: DebtRecord) {
  const amount = record.writtenOff;
  record.writtenOff = 0;
  return occurrence('debt.actioning.automated_debt_write_back.completed', account.number, {
    v1: { ...name(account), amount },
  });
}

export function skipWriteBack(account: Account, reason: string) {
  return occurrence('debt.actioning.automated_debt_write_back.skipped', account.number, {
    v1: { ...name(account), reason },
  });
}

export function failWriteBack(account: Account) {
  return occurrence('debt.actioning.automated_debt_write_back.failed', account.number, {
    v1: { ...name(account), reason: 'LEDGER_LOCKED', exception: 'LedgerLockedError' },
  });
}

function name({ number, ledger }: Account) {
  return { ledger_number: ledger.number, account_number: number };
}

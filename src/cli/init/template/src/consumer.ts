import { createConsumer } from 'busbar';

/** Number of final bills of each account that leaves. */
export const bills = new Map<string, number>();

/** Creates the consumer. It starts without bills. */
export function consumer() {
  bills.clear();
  const counter = createConsumer({ name: 'bill-counter' });

  counter.on('lifecycle.leave-supplier.requested', 'v3', ({ occurredAt, payload }, { logger }) => {
    bills.set(payload.account_number, bills.get(payload.account_number) ?? 0);
    logger.info('A customer leaves.', { at: occurredAt });
  });

  // A bill that arrives twice counts twice. `npm run verify` finds this bug.
  counter.on('billing.final_bill', 'v1', ({ occurredAt, payload }, { logger }) => {
    bills.set(payload.account_number, (bills.get(payload.account_number) ?? 0) + 1);
    logger.info('A customer gets the final bill.', { at: occurredAt });
  });

  return counter;
}

/** The state that `npm run verify` compares. */
export const contract = { observe: () => ({ bills }) };

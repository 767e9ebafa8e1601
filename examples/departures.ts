/** A consumer that lists departing accounts. `departures.test.ts` tests it. */
import { createConsumer } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';

/** An account that is leaving or has left. */
export interface Departure {
  readonly account: string;
  readonly status: 'requested' | 'completed';
}

/** Returns the consumer and a function that returns its list. */
export function departures() {
  const byAccount = new Map<string, Departure>();
  const consumer = createConsumer({ name: 'departures' });
  consumer.use(idempotent({ store: memoryStore() }));

  consumer.on('lifecycle.leave-supplier.requested', 'v3', ({ payload: { account_number: account } }) => {
    byAccount.set(account, { account, status: 'requested' });
  });
  consumer.on('lifecycle.leave-supplier.completed', 'v3', ({ payload: { account_number: account } }) => {
    byAccount.set(account, { account, status: 'completed' });
  });
  return { consumer, list: () => [...byAccount.values()] };
}

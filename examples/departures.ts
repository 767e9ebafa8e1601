/** A consumer that keeps a list of who is leaving, and when: what `departures.test.ts` tests. */
import { createConsumer, idempotent, memoryStore } from 'busbar';

export interface Departure {
  readonly account: string;
  readonly status: 'requested' | 'completed';
}

/** One account after the other, by number. */
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

import { comparing } from './comparing.js';
import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { identifier, number } from './payload.js';

export const debtInvariants: readonly Invariant[] = [
  comparing<{ readonly at: number; readonly from: number; readonly to: number }>({
    name: 'debt-position-follows',
    statement:
      'The `previous_value` of `delinquent_debt.position_changed` is the last `new_value` of its ledger.',
    entity: 'ledger',
    of: (event) =>
      event.type === 'delinquent_debt.position_changed' ? identifier(event, 'ledger_number') : undefined,
    see(event, before, at) {
      const [from, to] = [number(event, 'previous_value'), number(event, 'new_value')];
      if (from === undefined || to === undefined) return {};
      // Another version of the same event.
      if (at === before?.at && from === before.from) return {};
      const isOther = before !== undefined && before.to !== from;
      return { keep: { at, from, to }, what: isOther && 'changes from another position than its last' };
    },
  }),
  {
    name: 'allocations-within-payment',
    statement: 'The allocations of a payment total at most its amount.',
    proof: 'world',
    start(truth) {
      const allocated = new BoundedMap<number>();
      function see(event: StreamEvent): readonly Finding[] {
        const payment = identifier(event, 'fulfilment', 'source_identifier');
        const amount = number(event, 'amount');
        if (event.type !== 'delinquent_debt.allocation_created') return noFindings;
        if (payment === undefined || amount === undefined) return noFindings;
        const sum = (allocated.get(payment) ?? 0) + amount;
        allocated.set(payment, sum);
        const paid = truth.entry(payment)?.amount;
        if (paid === undefined || sum <= paid) return noFindings;
        return [{ event, entity: `ledger entry "${payment}"`, what: 'has more allocated than its amount' }];
      }
      return { see };
    },
  },
];

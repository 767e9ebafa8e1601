import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { identifier, number, occurred } from './payload.js';

export const debtInvariants: readonly Invariant[] = [
  {
    name: 'debt-position-follows',
    statement:
      'The `previous_value` of `delinquent_debt.position_changed` is the last `new_value` of its ledger.',
    proof: 'stream',
    start: watchPositions,
  },
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

function watchPositions() {
  const positions = new BoundedMap<{ readonly at: number; readonly from: number; readonly to: number }>();
  function see(event: StreamEvent): readonly Finding[] {
    if (event.type !== 'delinquent_debt.position_changed') return noFindings;
    const ledger = identifier(event, 'ledger_number');
    const from = number(event, 'previous_value');
    const to = number(event, 'new_value');
    if (ledger === undefined || from === undefined || to === undefined) return noFindings;
    const at = occurred(event);
    const before = positions.get(ledger);
    // Another version of the same event, or an event that came too late for sorting.
    if (before !== undefined && (at < before.at || (at === before.at && from === before.from)))
      return noFindings;
    positions.set(ledger, { at, from, to });
    if (before === undefined || before.to === from) return noFindings;
    return [{ event, entity: `ledger "${ledger}"`, what: 'changes from another position than its last' }];
  }
  return { see };
}

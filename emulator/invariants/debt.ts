import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine } from './invariant.js';
import { Memory } from './memory.js';
import { identifier, number, occurred } from './payload.js';

export const debtInvariants: readonly Invariant[] = [
  {
    name: 'debt-position-follows',
    statement:
      '`delinquent_debt.position_changed` begins where the last one of its ledger ended: `previous_value` is the last `new_value`.',
    proof: 'stream',
    start: watchPositions,
  },
  {
    name: 'allocations-within-payment',
    statement: 'What is allocated of a payment is never more than the payment.',
    proof: 'world',
    start(truth) {
      const allocated = new Memory<number>();
      function see(event: StreamEvent): readonly Finding[] {
        const payment = identifier(event, 'fulfilment', 'source_identifier');
        const amount = number(event, 'amount');
        if (event.type !== 'delinquent_debt.allocation_created') return fine;
        if (payment === undefined || amount === undefined) return fine;
        const sum = (allocated.get(payment) ?? 0) + amount;
        allocated.set(payment, sum);
        const paid = truth.entry(payment)?.amount;
        if (paid === undefined || sum <= paid) return fine;
        return [{ event, entity: `ledger entry "${payment}"`, what: 'has more allocated than was paid' }];
      }
      return { see };
    },
  },
];

function watchPositions() {
  const positions = new Memory<{ readonly at: number; readonly from: number; readonly to: number }>();
  function see(event: StreamEvent): readonly Finding[] {
    if (event.type !== 'delinquent_debt.position_changed') return fine;
    const ledger = identifier(event, 'ledger_number');
    const from = number(event, 'previous_value');
    const to = number(event, 'new_value');
    if (ledger === undefined || from === undefined || to === undefined) return fine;
    const at = occurred(event);
    const before = positions.get(ledger);
    // The other version of what was seen, or something that came too late to be put in order.
    if (before !== undefined && (at < before.at || (at === before.at && from === before.from))) return fine;
    positions.set(ledger, { at, from, to });
    if (before === undefined || before.to === from) return fine;
    return [{ event, entity: `ledger "${ledger}"`, what: 'changes from a position that it did not have' }];
  }
  return { see };
}

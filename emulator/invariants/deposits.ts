import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
import { identifier, number, occurred } from './payload.js';

export const depositInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'deposit-in-order',
    statement:
      'A deposit is accepted, then fulfilled or withdrawn, never both. A fulfilled deposit is returned once, in whole or in instalments.',
    entity: 'deposit',
    of: (event) => identifier(event, 'deposit_key'),
    begins: { 'deposit_agreement.accepted': 'accepted' },
    moves: {
      'deposit_agreement.withdrawn': { from: ['accepted'], to: 'withdrawn' },
      'deposit_agreement.fulfilled': { from: ['accepted'], to: 'fulfilled' },
      'deposit_agreement.instalment_returned': { from: ['fulfilled', 'in return'], to: 'in return' },
      'deposit_agreement.returned': { from: ['fulfilled'], to: 'returned' },
    },
  }),
  {
    name: 'deposit-instalments-add-up',
    statement:
      'The amount of a deposit never changes. Its returned instalments never exceed the amount, and total it in the end.',
    proof: 'stream',
    start: watchInstalments,
  },
];

interface DepositState {
  readonly amount: number;
  readonly returned: number;
  readonly at: number;
  /** Whether all instalments are in the stream. */
  readonly isWhole: boolean;
  readonly last: StreamEvent;
}

function watchInstalments() {
  const deposits = new BoundedMap<DepositState>();
  function see(event: StreamEvent): readonly Finding[] {
    const key = identifier(event, 'deposit_key');
    const amount = number(event, 'amount');
    if (!event.type.startsWith('deposit_agreement.') || key === undefined || amount === undefined)
      return noFindings;
    const at = occurred(event);
    const before = deposits.get(key);
    if (before !== undefined && at < before.at) return noFindings;
    const isInstalment = event.type === 'deposit_agreement.instalment_returned';
    const part = isInstalment ? (number(event, 'returned_amount') ?? 0) : 0;
    const returned = (before?.returned ?? 0) + part;
    const isWhole = before?.isWhole ?? !isInstalment;
    deposits.set(key, { amount, returned, at, isWhole, last: { ...event, payload: undefined } });
    const entity = `deposit "${key}"`;
    if (before !== undefined && before.amount !== amount) {
      return [{ event, entity, what: 'has another amount than before' }];
    }
    return returned > amount
      ? [{ event, entity, what: 'is returned with more than its amount' }]
      : noFindings;
  }
  function end(complete: boolean): readonly Finding[] {
    if (!complete) return noFindings;
    const certain = unlessFiltered('deposit_agreement.instalment_returned');
    return [...deposits.entries()]
      .filter(([, { isWhole, returned, amount }]) => isWhole && returned > 0 && returned < amount)
      .map(([key, { last }]) => ({
        event: last,
        entity: `deposit "${key}"`,
        what: 'is not returned in full',
        certain,
      }));
  }
  return { see, end };
}

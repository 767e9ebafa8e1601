import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { identifier, number, occurred } from './payload.js';

export const depositInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'deposit-in-order',
    statement:
      'A deposit is accepted, then fulfilled or withdrawn, never both; what was fulfilled goes back once, in whole or in instalments.',
    entity: 'deposit',
    of: (event) => identifier(event, 'deposit_key'),
    begins: { 'deposit_agreement.accepted': 'accepted' },
    moves: {
      'deposit_agreement.withdrawn': { from: ['accepted'], to: 'withdrawn' },
      'deposit_agreement.fulfilled': { from: ['accepted'], to: 'fulfilled' },
      'deposit_agreement.instalment_returned': {
        from: ['fulfilled', 'going back'],
        to: 'going back',
      },
      'deposit_agreement.returned': { from: ['fulfilled'], to: 'returned' },
    },
  }),
  {
    name: 'deposit-instalments-add-up',
    statement:
      'The instalments in which a deposit goes back are together its amount, which never changes: not more at any time, and not less in the end.',
    proof: 'stream',
    start: watchInstalments,
  },
];

interface Kept {
  readonly amount: number;
  returned: number;
  at: number;
  /** All that went back is in the stream. */
  readonly isWhole: boolean;
  readonly last: StreamEvent;
}

function watchInstalments() {
  const deposits = new Memory<Kept>();
  function see(event: StreamEvent): readonly Finding[] {
    const key = identifier(event, 'deposit_key');
    const amount = number(event, 'amount');
    if (!event.type.startsWith('deposit_agreement.') || key === undefined || amount === undefined)
      return fine;
    const at = occurred(event);
    const before = deposits.get(key);
    if (before !== undefined && at < before.at) return fine;
    const part =
      event.type === 'deposit_agreement.instalment_returned' ? (number(event, 'returned_amount') ?? 0) : 0;
    const returned = (before?.returned ?? 0) + part;
    const isWhole = before?.isWhole ?? event.type !== 'deposit_agreement.instalment_returned';
    deposits.set(key, { amount, returned, at, isWhole, last: { ...event, payload: undefined } });
    const entity = `deposit "${key}"`;
    if (before !== undefined && before.amount !== amount) {
      return [{ event, entity, what: 'is of another amount than before' }];
    }
    return returned > amount ? [{ event, entity, what: 'goes back with more than was paid' }] : fine;
  }
  function end(complete: boolean): readonly Finding[] {
    if (!complete) return fine;
    const certain = unlessFiltered('deposit_agreement.instalment_returned');
    return [...deposits.entries()]
      .filter(([, { isWhole, returned, amount }]) => isWhole && returned > 0 && returned < amount)
      .map(([key, { last }]) => ({
        event: last,
        entity: `deposit "${key}"`,
        what: 'does not go back to its last penny',
        certain,
      }));
  }
  return { see, end };
}

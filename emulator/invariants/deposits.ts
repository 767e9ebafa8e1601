import { comparing } from './comparing.js';
import { type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier, number } from './payload.js';

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
  comparing<DepositState>({
    name: 'deposit-instalments-add-up',
    statement:
      'The amount of a deposit never changes. Its returned instalments never exceed the amount, and total it in the end.',
    entity: 'deposit',
    of: (event) =>
      event.type.startsWith('deposit_agreement.') ? identifier(event, 'deposit_key') : undefined,
    see(event, before) {
      const amount = number(event, 'amount');
      if (amount === undefined) return {};
      const isInstalment = event.type === instalment;
      const part = isInstalment ? (number(event, 'returned_amount') ?? 0) : 0;
      const returned = (before?.returned ?? 0) + part;
      const isWhole = before?.isWhole ?? !isInstalment;
      const keep = { amount, returned, isWhole, last: { ...event, payload: undefined } };
      if (before !== undefined && before.amount !== amount) {
        return { keep, what: 'has another amount than before' };
      }
      return { keep, what: returned > amount && 'is returned with more than its amount' };
    },
    end({ isWhole, returned, amount, last }) {
      if (!isWhole || returned === 0 || returned >= amount) return undefined;
      return { event: last, what: 'is not returned in full', certain: unlessFiltered(instalment) };
    },
  }),
];

const instalment = 'deposit_agreement.instalment_returned';

interface DepositState {
  readonly amount: number;
  readonly returned: number;
  /** Whether all instalments are in the stream. */
  readonly isWhole: boolean;
  readonly last: StreamEvent;
}

import { comparing } from './comparing.js';
import { type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { asInstant, identifier, number } from './payload.js';

/** Kinds of rows: where their ids and their accounts are in the event that announces one. */
const rows: Readonly<Record<string, readonly [id: readonly string[], account: readonly string[]]>> = {
  'agreement.created': [['agreement_id'], ['account_number']],
  'billing.ledger.entry_posted': [
    ['entry', 'id'],
    ['ledger', 'account', 'number'],
  ],
  'billing.issued_bill': [['statement_id'], ['account_number']],
};

interface FinalBill {
  readonly event?: StreamEvent;
  readonly isDispatched: boolean;
}

const dispatched = 'billing.billing_document_representation.dispatched';

export const recordInvariants: readonly Invariant[] = [
  comparing<number>({
    name: 'ids-rise',
    statement: 'Within an account, a later agreement, ledger entry or bill has a larger id.',
    entity: 'rows of account',
    of({ type, ...event }) {
      const [, account] = rows[type] ?? [];
      return account && `${identifier(event, ...account)} ${type}`;
    },
    see(event, before = -1) {
      const id = number(event, ...(rows[event.type]?.[0] ?? [])) ?? before;
      return { keep: Math.max(id, before), what: id < before && 'has a smaller id than an earlier one' };
    },
  }),
  comparing<FinalBill>({
    name: 'final-bill-has-document',
    statement: 'The document of a final bill is dispatched under the id of its statement.',
    entity: 'statement',
    of: (event) =>
      event.type === 'billing.final_bill' || event.type === dispatched
        ? (identifier(event, 'billing_document_id') ?? identifier(event, 'statement_id'))
        : undefined,
    see: (event, before = { isDispatched: false }) => ({
      keep: event.type === dispatched ? { ...before, isDispatched: true } : { ...before, event },
    }),
    end({ event, isDispatched }) {
      if (event === undefined || isDispatched) return undefined;
      return { event, what: 'has no document that was dispatched', certain: unlessFiltered(dispatched) };
    },
  }),
  comparing<never>({
    name: 'nothing-dated-later',
    statement: 'An event names what has happened with a time that is not after its own.',
    entity: 'event',
    of: ({ id }) => id,
    see({ payload }, _before, at) {
      const late = laterThan(at, payload);
      return { what: late && `has "${late}" after its time of occurrence` };
    },
  }),
];

/** Returns the name of a member such as `closed_at` that is after an instant. */
function laterThan(at: number, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.endsWith('ed_at') && (asInstant(inner) ?? at) > at) return name;
    const found = laterThan(at, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

import { comparing, comparingWithTruth } from './comparing.js';
import type { Invariant, StreamEvent } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { day, flag, identifier, supplyPoints } from './payload.js';
import type { Truth } from './truth.js';

export const billingInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'bill-out-in-order',
    statement:
      'A billing document is held only before its issue, issued once, and dispatched only after its issue. A print house reports only on dispatched documents.',
    entity: 'billing document',
    of: (event) =>
      identifier(event, 'billing_document_identifier') ?? identifier(event, 'document_identifier'),
    moves: {
      'billing.billing_document.held': { from: ['draft'], to: 'held' },
      'billing.billing_document.issued': { from: ['draft', 'held'], to: 'issued' },
      'billing.billing_document_representation.dispatched': {
        from: ['issued', 'dispatched'],
        to: 'dispatched',
      },
      'billing.issuance.external_status.created': { from: ['dispatched'] },
    },
  }),
  lifecycle({
    name: 'bill-announced-after-issue',
    statement: '`billing.issued_bill` occurs once, after the issue of its document.',
    entity: 'statement',
    of: (event) =>
      identifier(event, 'billing_document_id') ??
      identifier(event, 'document_id') ??
      identifier(event, 'statement_id'),
    moves: {
      'billing.billing_document.held': { from: ['draft'] },
      'billing.billing_document.issued': { from: ['draft'], to: 'issued' },
      'billing.issued_bill': { from: ['issued'], to: 'announced' },
    },
  }),
  lifecycle({
    name: 'ledger-entry-removed-once',
    statement: 'A ledger entry is posted once, then removed at most once.',
    entity: 'ledger entry',
    of: (event) => identifier(event, 'entry', 'id'),
    begins: { 'billing.ledger.entry_posted': 'posted' },
    moves: { 'billing.ledger.entry_removed': { from: ['posted'], to: 'removed' } },
  }),
  comparing<{ readonly reversedBy: string | undefined }>({
    name: 'payment-reversed-once',
    statement: 'A payment is reversed at most once, after its posting.',
    entity: 'ledger entry',
    // A payment and its reversal have the same source id.
    of: (event) =>
      event.type === 'billing.ledger.entry_posted' && flag(event, 'entry', 'is_payment') === true
        ? identifier(event, 'entry', 'source_id')
        : undefined,
    see(event, { reversedBy } = { reversedBy: undefined }) {
      const id = identifier(event, 'entry', 'id') ?? '';
      const entity = `ledger entry "${id}"`;
      if (flag(event, 'entry', 'is_reversal') !== true) {
        return {
          keep: { reversedBy },
          entity,
          what: reversedBy !== undefined && 'is posted after its reversal',
        };
      }
      const isAgain = reversedBy !== undefined && reversedBy !== id;
      return { keep: { reversedBy: id }, entity, what: isAgain && 'reverses a payment a second time' };
    },
  }),
  // Remembers when the document of an entry was issued.
  comparingWithTruth<number>({
    name: 'charges-before-their-bill',
    statement: 'A billing document or a final bill is issued after its charges are posted.',
    entity: 'ledger entry',
    of(event, truth) {
      const document = documents[event.type];
      if (document !== undefined) return truth.chargesOf(identifier(event, document) ?? '');
      return event.type === posted ? identifier(event, 'entry', 'id') : undefined;
    },
    see(event, issued, at) {
      if (event.type !== posted) return { keep: at };
      return { what: issued !== undefined && issued < at && 'is posted after its bill' };
    },
  }),
  // Remembers days by account and supply point: another account may take the supply point over.
  comparingWithTruth<string>({
    name: 'no-charge-beyond-supply',
    statement:
      'After the end of its supply is confirmed, a supply point is not charged for energy beyond that day, unless the end is reversed.',
    entity: 'ledger entry',
    of(event, truth) {
      const account = identifier(event, 'account_number') ?? identifier(event, 'ledger', 'account', 'number');
      return pointsOf(event, truth).map((point) => point && `${account} ${point}`);
    },
    see(event, end, _at, truth) {
      if (event.type === confirmed) {
        const on = day(event, 'supply_point', 'confirmed_supply_end_date');
        return on === undefined ? {} : { keep: on };
      }
      if (event.type !== posted) return { keep: undefined };
      const id = identifier(event, 'entry', 'id') ?? '';
      const { until = '' } = truth.entry(id)?.energy ?? {};
      const isBeyond = end !== undefined && until > end;
      return { entity: `ledger entry "${id}"`, what: isBeyond && 'charges for time after the end of supply' };
    },
  }),
];

const posted = 'billing.ledger.entry_posted';
const confirmed = 'lifecycle.leave-supplier.termination.confirmed';

/** Returns the supply points whose end an event confirms or reverses, or that it charges for energy. */
function pointsOf(event: StreamEvent, truth: Truth): readonly (string | undefined)[] {
  const { type } = event;
  if (type === confirmed) return [identifier(event, 'supply_point', 'external_identifier')];
  if (type === posted) return [truth.entry(identifier(event, 'entry', 'id') ?? '')?.energy?.supplyPoint];
  if (type.endsWith('.registration.requested'))
    return [identifier(event, 'mpan') ?? identifier(event, 'mprn')];
  if (type !== 'lifecycle.leave-supplier.reversal-requested') return [];
  return supplyPoints(event);
}

/** Events about documents with charges, and the member with the document's id. */
const documents: Readonly<Record<string, string>> = {
  'billing.billing_document.issued': 'billing_document_id',
  'billing.final_bill': 'statement_id',
};

import { comparing } from './comparing.js';
import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
import { asIdentifier, day, flag, identifier, list, member, occurred } from './payload.js';

export const billingInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'bill-out-in-order',
    statement:
      'A billing document is held only before its issue, issued once, and dispatched only after its issue. A print house reports only on dispatched documents.',
    entity: 'billing document',
    of: (event) =>
      identifier(event, 'billing_document_identifier') ?? identifier(event, 'document_identifier'),
    begins: {},
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
    begins: {},
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
  {
    name: 'charges-before-their-bill',
    statement: 'A billing document or a final bill is issued after its charges are posted.',
    proof: 'world',
    start(truth) {
      /** Time of issue by the ids of the entries on the document. */
      const issued = new BoundedMap<number>();
      function see(event: StreamEvent): readonly Finding[] {
        const at = occurred(event);
        const member = documents[event.type];
        if (member !== undefined) {
          const id = identifier(event, member);
          for (const entry of (id === undefined ? undefined : truth.chargesOf(id)) ?? [])
            issued.set(entry, at);
          return noFindings;
        }
        if (event.type !== 'billing.ledger.entry_posted') return noFindings;
        const id = identifier(event, 'entry', 'id');
        const issuedAt = id === undefined ? undefined : issued.get(id);
        if (id === undefined || issuedAt === undefined || issuedAt >= at) return noFindings;
        return [{ event, entity: `ledger entry "${id}"`, what: 'is posted after its bill' }];
      }
      return { see };
    },
  },
  {
    name: 'no-charge-beyond-supply',
    statement:
      'After the end of its supply is confirmed, a supply point is not charged for energy beyond that day, unless the end is reversed.',
    proof: 'world',
    start(truth) {
      /** Days by account and supply point: another account may take the supply point over. */
      const ended = new BoundedMap<string>();
      function see(event: StreamEvent): readonly Finding[] {
        const account =
          identifier(event, 'account_number') ?? identifier(event, 'ledger', 'account', 'number');
        const point = identifier(event, 'supply_point', 'external_identifier');
        if (event.type === 'lifecycle.leave-supplier.termination.confirmed' && point !== undefined) {
          const on = day(event, 'supply_point', 'confirmed_supply_end_date');
          if (on !== undefined) ended.set(`${account} ${point}`, on);
        }
        const registered = identifier(event, 'mpan') ?? identifier(event, 'mprn');
        if (event.type.endsWith('.registration.requested') && registered !== undefined)
          ended.forget(`${account} ${registered}`);
        if (event.type === 'lifecycle.leave-supplier.reversal-requested') {
          for (const each of list(event, 'supply_points'))
            ended.forget(`${account} ${asIdentifier(member(each, 'external_identifier'))}`);
        }
        if (event.type !== 'billing.ledger.entry_posted') return noFindings;
        const id = identifier(event, 'entry', 'id');
        const energy = id === undefined ? undefined : truth.entry(id)?.energy;
        const end = energy === undefined ? undefined : ended.get(`${account} ${energy.supplyPoint}`);
        if (id === undefined || energy === undefined || end === undefined || energy.until <= end)
          return noFindings;
        return [{ event, entity: `ledger entry "${id}"`, what: 'charges for time after the end of supply' }];
      }
      return { see };
    },
  },
];

/** Events about documents with charges, and the member with the document's id. */
const documents: Readonly<Record<string, string>> = {
  'billing.billing_document.issued': 'billing_document_id',
  'billing.final_bill': 'statement_id',
};

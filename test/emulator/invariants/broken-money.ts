import { flag } from '../../../emulator/invariants/payload.js';
import { type Broken, on } from './broken.js';
import { again, againBefore, before, changed, followedBy, late } from './mutations.js';

const bill = 'billing.billing_document';
const fee = 'late_payment_fee';

/** Of bills, ledgers, debts, deposits, fees and approvals. */
export const brokenMoney: Readonly<Record<string, Broken>> = {
  'bill-out-in-order: the bill is dispatched before it is issued': on(
    'billing-cycle',
    { document: 'issued' },
    before(`${bill}.issued`, `${bill}_representation.dispatched`),
  ),
  'bill-out-in-order: the bill is held after it was issued': on(
    'billing-cycle',
    { document: 'held' },
    late(`${bill}.held`),
  ),
  'bill-announced-after-issue: the bill is announced first': on(
    'billing-cycle',
    { document: 'issued' },
    before(`${bill}.issued`, 'billing.issued_bill'),
  ),
  'ledger-entry-removed-once: an entry is posted after it was removed': on(
    'late-fees-service',
    { due: 'one', applied: 'all', waiver: 'waived' },
    late('billing.ledger.entry_posted'),
  ),
  'ledger-entry-removed-once: an entry is removed twice': on('rebill-correction', {}, (events) =>
    again('billing.ledger.entry_removed')(
      events.filter(({ type, version }) => type !== 'billing.ledger.entry_removed' || version === 'v2'),
    ),
  ),
  'payment-reversed-once: the direct debit comes back twice': on(
    'billing-cycle',
    { payment: 'returned', document: 'issued' },
    (events) => {
      const reversal = events.findLast(
        (event) =>
          event.type === 'billing.ledger.entry_posted' && flag(event, 'entry', 'is_reversal') === true,
      );
      const only = events.filter((event) => event.type !== reversal?.type || event === reversal);
      return again('billing.ledger.entry_posted', { 'entry.id': 4711 })(only);
    },
  ),
  'late-fees-for-overdue-debt: no debt is overdue': on(
    'late-fees-service',
    { due: 'one', applied: 'all' },
    (events) =>
      changed('delinquent_debt.position_changed', { new_value: 0 })(
        events.filter(({ type, version }) => type !== 'delinquent_debt.position_changed' || version === 'v2'),
      ),
  ),
  'debt-position-follows: the position changes from one that was not': on(
    'debt-path',
    { end: 'paid-in-dunning' },
    (events) =>
      changed('delinquent_debt.position_changed', { new_value: 1 })(
        events.filter(({ type, version }) => type !== 'delinquent_debt.position_changed' || version === 'v2'),
      ),
  ),
  'dunning-in-order: it is paused twice in a row': on(
    'debt-path',
    { dunning: 'paused' },
    againBefore('dunning_path_unpaused', 'dunning_path_paused'),
  ),
  'dunning-in-order: it is paused after it was withdrawn': on(
    'debt-path',
    { dunning: 'paused' },
    again('dunning_path_paused'),
  ),
  'one-dunning-process: the process changes its id on the way': on(
    'debt-path',
    { dunning: 'paused' },
    changed('dunning_path_paused', { dunning_process_id: '00000000-0000-4000-8000-000000000000' }),
  ),
  'collection-in-order: it is paused twice in a row': on(
    'debt-path',
    { end: 'paid-in-collection', collection: 'paused' },
    againBefore('collection_process.unpaused', 'collection_process.paused'),
  ),
  'collection-in-order: a letter goes out before it is raised': on(
    'debt-path',
    { end: 'agency' },
    before('collection_process.raised', 'collection_process.comm_step_resolved'),
  ),
  'late-fees-in-order: a fee is applied before the service starts': on(
    'late-fees-service',
    { due: 'one', applied: 'all' },
    before(`${fee}_application_service_started`, `${fee}_application_service_fee_applied`),
  ),
  'late-fees-in-order: the older calculator applies a fee after it is done': on(
    'late-fees-calculator',
    { fees: 'two' },
    late(`${fee}_calculator_fee_applied`),
  ),
  'late-fees-counted: it counts one fee more': on(
    'late-fees-service',
    { due: 'two', applied: 'all' },
    changed(`${fee}_application_service_completed`, { fees_applied_count: 3 }),
  ),
  'deposit-in-order: a deposit is withdrawn after it was fulfilled': on(
    'deposit-agreement',
    { outcome: 'returned' },
    followedBy('deposit_agreement.withdrawn', 'deposit_agreement.fulfilled'),
  ),
  'deposit-in-order: a deposit goes back before it is fulfilled': on(
    'deposit-agreement',
    { outcome: 'returned' },
    before('deposit_agreement.fulfilled', 'deposit_agreement.returned'),
  ),
  'deposit-instalments-add-up: an instalment is too large': on(
    'deposit-agreement',
    { outcome: 'instalments' },
    changed('deposit_agreement.instalment_returned', { returned_amount: 10_000_000 }),
  ),
  'deposit-instalments-add-up: an instalment is too small': on(
    'deposit-agreement',
    { outcome: 'instalments' },
    changed('deposit_agreement.instalment_returned', { returned_amount: 1 }),
  ),
  'approval-in-order: what was rejected is approved': on(
    'approvals',
    { verdict: 'rejected' },
    followedBy('approvals.approval.approved', 'approvals.approval.rejected'),
  ),
  'approval-in-order: an approval precedes the approval of its request': on(
    'approvals',
    { verdict: 'approved' },
    before('approvals.approval_request.approved', 'approvals.approval.approved'),
  ),
  'approved-by-somebody-else: the requester approves': on(
    'approvals',
    { verdict: 'approved', process: 'REFUND' },
    (events) => {
      const payload = events.find(({ type }) => type === 'approvals.approval.created')?.payload;
      const { requested_by_id } = payload as { requested_by_id: number };
      return changed('approvals.approval_request.approved', { approved_by_id: requested_by_id })(events);
    },
  ),
  'ids-rise: the first entry is posted last': on(
    'billing-cycle',
    { document: 'issued' },
    late('billing.ledger.entry_posted'),
  ),
  'final-bill-has-document: the final bill names another statement': on(
    'switch-loss',
    { outcome: 'completed' },
    changed('billing.final_bill', { statement_id: 1 }),
  ),
  'nothing-dated-later: a traversal succeeds in the future': on(
    'billing-cycle',
    { document: 'issued' },
    changed('billing.pathway_traversal.succeeded', { succeeded_at: '2099-01-01T00:00:00.000Z' }),
  ),
};

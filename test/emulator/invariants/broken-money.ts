import { flag } from '../../../emulator/invariants/payload.js';
import type { Broken } from './broken.js';
import { again, againBefore, before, changed, followedBy, late } from './mutations.js';

const bill = 'billing.billing_document';
const fee = 'late_payment_fee';

/** Of bills, ledgers, debts, deposits, fees and approvals. */
export const brokenMoney: readonly Broken[] = [
  {
    invariant: 'bill-out-in-order',
    how: 'the bill is dispatched before it is issued',
    scenario: 'billing-cycle',
    branches: { document: 'issued' },
    mutate: before(`${bill}.issued`, `${bill}_representation.dispatched`),
  },
  {
    invariant: 'bill-out-in-order',
    how: 'the bill is held after it was issued',
    scenario: 'billing-cycle',
    branches: { document: 'held' },
    mutate: late(`${bill}.held`),
  },
  {
    invariant: 'bill-announced-after-issue',
    how: 'the bill is announced first',
    scenario: 'billing-cycle',
    branches: { document: 'issued' },
    mutate: before(`${bill}.issued`, 'billing.issued_bill'),
  },
  {
    invariant: 'ledger-entry-removed-once',
    how: 'an entry is posted after it was removed',
    scenario: 'late-fees-service',
    branches: { due: 'one', applied: 'all', waiver: 'waived' },
    mutate: late('billing.ledger.entry_posted'),
  },
  {
    invariant: 'ledger-entry-removed-once',
    how: 'an entry is removed twice',
    scenario: 'rebill-correction',
    mutate: (events) =>
      again('billing.ledger.entry_removed')(
        events.filter(({ type, version }) => type !== 'billing.ledger.entry_removed' || version === 'v2'),
      ),
  },
  {
    invariant: 'payment-reversed-once',
    how: 'the direct debit comes back twice',
    scenario: 'billing-cycle',
    branches: { payment: 'returned', document: 'issued' },
    mutate: (events) => {
      const reversal = events.findLast(
        (event) =>
          event.type === 'billing.ledger.entry_posted' && flag(event, 'entry', 'is_reversal') === true,
      );
      const only = events.filter((event) => event.type !== reversal?.type || event === reversal);
      return again('billing.ledger.entry_posted', { 'entry.id': 4711 })(only);
    },
  },
  {
    invariant: 'debt-position-follows',
    how: 'the position changes from one that was not',
    scenario: 'debt-path',
    branches: { end: 'paid-in-dunning' },
    mutate: (events) =>
      changed('delinquent_debt.position_changed', { new_value: 1 })(
        events.filter(({ type, version }) => type !== 'delinquent_debt.position_changed' || version === 'v2'),
      ),
  },
  {
    invariant: 'dunning-in-order',
    how: 'it is paused twice in a row',
    scenario: 'debt-path',
    branches: { dunning: 'paused' },
    mutate: againBefore('dunning_path_unpaused', 'dunning_path_paused'),
  },
  {
    invariant: 'dunning-in-order',
    how: 'it is paused after it was withdrawn',
    scenario: 'debt-path',
    branches: { dunning: 'paused' },
    mutate: again('dunning_path_paused'),
  },
  {
    invariant: 'one-dunning-process',
    how: 'the process changes its id on the way',
    scenario: 'debt-path',
    branches: { dunning: 'paused' },
    mutate: changed('dunning_path_paused', { dunning_process_id: '00000000-0000-4000-8000-000000000000' }),
  },
  {
    invariant: 'collection-in-order',
    how: 'it is paused twice in a row',
    scenario: 'debt-path',
    branches: { end: 'paid-in-collection', collection: 'paused' },
    mutate: againBefore('collection_process.unpaused', 'collection_process.paused'),
  },
  {
    invariant: 'collection-in-order',
    how: 'a letter goes out before it is raised',
    scenario: 'debt-path',
    branches: { end: 'agency' },
    mutate: before('collection_process.raised', 'collection_process.comm_step_resolved'),
  },
  {
    invariant: 'late-fees-in-order',
    how: 'a fee is applied before the service starts',
    scenario: 'late-fees-service',
    branches: { due: 'one', applied: 'all' },
    mutate: before(`${fee}_application_service_started`, `${fee}_application_service_fee_applied`),
  },
  {
    invariant: 'late-fees-in-order',
    how: 'the older calculator applies a fee after it is done',
    scenario: 'late-fees-calculator',
    branches: { fees: 'two' },
    mutate: late(`${fee}_calculator_fee_applied`),
  },
  {
    invariant: 'late-fees-counted',
    how: 'it counts one fee more',
    scenario: 'late-fees-service',
    branches: { due: 'two', applied: 'all' },
    mutate: changed(`${fee}_application_service_completed`, { fees_applied_count: 3 }),
  },
  {
    invariant: 'deposit-in-order',
    how: 'a deposit is withdrawn after it was fulfilled',
    scenario: 'deposit-agreement',
    branches: { outcome: 'returned' },
    mutate: followedBy('deposit_agreement.withdrawn', 'deposit_agreement.fulfilled'),
  },
  {
    invariant: 'deposit-in-order',
    how: 'a deposit goes back before it is fulfilled',
    scenario: 'deposit-agreement',
    branches: { outcome: 'returned' },
    mutate: before('deposit_agreement.fulfilled', 'deposit_agreement.returned'),
  },
  {
    invariant: 'deposit-instalments-add-up',
    how: 'an instalment is too large',
    scenario: 'deposit-agreement',
    branches: { outcome: 'instalments' },
    mutate: changed('deposit_agreement.instalment_returned', { returned_amount: 10_000_000 }),
  },
  {
    invariant: 'deposit-instalments-add-up',
    how: 'an instalment is too small',
    scenario: 'deposit-agreement',
    branches: { outcome: 'instalments' },
    mutate: changed('deposit_agreement.instalment_returned', { returned_amount: 1 }),
  },
  {
    invariant: 'approval-in-order',
    how: 'what was rejected is approved',
    scenario: 'approvals',
    branches: { verdict: 'rejected' },
    mutate: followedBy('approvals.approval.approved', 'approvals.approval.rejected'),
  },
  {
    invariant: 'approval-in-order',
    how: 'an approval precedes the approval of its request',
    scenario: 'approvals',
    branches: { verdict: 'approved' },
    mutate: before('approvals.approval_request.approved', 'approvals.approval.approved'),
  },
  {
    invariant: 'approved-by-somebody-else',
    how: 'the requester approves',
    scenario: 'approvals',
    branches: { verdict: 'approved', process: 'REFUND' },
    mutate: (events) => {
      const payload = events.find(({ type }) => type === 'approvals.approval.created')?.payload;
      const { requested_by_id } = payload as { requested_by_id: number };
      return changed('approvals.approval_request.approved', { approved_by_id: requested_by_id })(events);
    },
  },
  {
    invariant: 'ids-rise',
    how: 'the first entry is posted last',
    scenario: 'billing-cycle',
    branches: { document: 'issued' },
    mutate: late('billing.ledger.entry_posted'),
  },
  {
    invariant: 'final-bill-has-document',
    how: 'the final bill names another statement',
    scenario: 'switch-loss',
    branches: { outcome: 'completed' },
    mutate: changed('billing.final_bill', { statement_id: 1 }),
  },
  {
    invariant: 'nothing-dated-later',
    how: 'a traversal succeeds in the future',
    scenario: 'billing-cycle',
    branches: { document: 'issued' },
    mutate: changed('billing.pathway_traversal.succeeded', { succeeded_at: '2099-01-01T00:00:00.000Z' }),
  },
];

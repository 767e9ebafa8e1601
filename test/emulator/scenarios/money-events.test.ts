import { describe, expect, it } from 'vitest';
import { findScenario } from '../../../emulator/scenarios/find.js';
import { play } from './play.js';

const posted = ['billing.ledger.entry_posted-v1', 'billing.ledger.entry_posted-v2'];
const removed = ['billing.ledger.entry_removed-v1', 'billing.ledger.entry_removed-v2'];
const issued = ['billing.billing_document.issued-v1', 'billing.billing_document.issued-v2'];
const position = ['delinquent_debt.position_changed-v1', 'delinquent_debt.position_changed-v2'];

/** Events of each scenario about bills and debts, over all branches. */
const facts: Record<string, readonly string[]> = {
  'billing-cycle': [
    'billing.charging.supply-point.triggered-v1',
    'charging.priming.errored-v1',
    ...posted,
    'billing.pathway_traversal.failed-v1',
    'billing.pathway_traversal.succeeded-v1',
    'billing.billing_document.held-v1',
    ...issued,
    'billing.issued_bill-v1',
    'billing.billing_document_representation.dispatched-v1',
    'billing.billing_document_representation.dispatched-v2',
    'billing.billing_document_representation.dispatched-v3',
    'billing.issuance.external_status.created-v1',
    'comms.customer_email_bounced-v1',
    ...position,
    'delinquent_debt.allocation_created-v1',
  ],
  'rebill-correction': [
    'actual.intervals.received-v1',
    ...removed,
    'billing.charging.supply-point.triggered-v1',
    ...posted,
    ...issued,
  ],
  'billing-options-change': ['billing.billing_options.updated-v1', 'account.updated-v1'],
  'duos-invoice': [
    'billing.duos_invoice.new-v1',
    'billing.duos_invoice.replace-v1',
    'billing.duos_invoice.cancel-v1',
  ],
  'portfolio-invoice-run': ['billing.portfolio_invoice_summary.completed-v1'],
  rebate: [
    'billing.rebate.created-v1',
    'billing.rebate.updated-v1',
    'billing.rebate.accepted-v1',
    'billing.rebate.declined-v1',
    ...posted,
  ],
  'debt-path': [
    ...position,
    'dunning_path_started-v1',
    'dunning_path_paused-v1',
    'dunning_path_unpaused-v1',
    'dunning_path_withdrawn-v1',
    ...posted,
    'delinquent_debt.allocation_created-v1',
    'collection_process.raised-v1',
    'collection_process.comm_step_resolved-v1',
    'collection_process.paused-v1',
    'collection_process.unpaused-v1',
    'collection_process.run_termination_requested-v1',
    'collection_process.reactivated-v1',
    'collection_process.withdrawn-v1',
    'collection_process.withdrawn-v2',
    'collection_process.leave_supplier_instigated-v1',
    'collection_proceeding.created-v1',
    'lifecycle.leave-supplier.requested-v2',
    'lifecycle.leave-supplier.requested-v3',
    'lifecycle.status-changed-v1',
    'lifecycle.leave-supplier.termination.initiated-v1',
    'lifecycle.leave-supplier.termination.confirmed-v2',
    'agreement.terminated-v1',
    'agreement.terminated-v2',
    'lifecycle.leave-supplier.completed-v3',
    'billing.charging.supply-point.triggered-v1',
    'billing.final_bill-v1',
    ...issued,
    'billing.billing_document_representation.dispatched-v1',
    'billing.billing_document_representation.dispatched-v2',
    'billing.billing_document_representation.dispatched-v3',
  ],
  'debt-write-back': [
    'debt.actioning.automated_debt_write_back.completed-v1',
    'debt.actioning.automated_debt_write_back.skipped-v1',
    'debt.actioning.automated_debt_write_back.failed-v1',
    ...posted,
    ...position,
  ],
  'late-fees-service': [
    'late_payment_fee_calculation_service_started-v1',
    'late_payment_fee_calculation_service_completed-v1',
    'late_payment_fee_application_service_started-v1',
    'late_payment_fee_application_service_fee_applied-v1',
    'late_payment_fee_application_service_completed-v1',
    'late_payment_fee_waived-v1',
    'delinquent_debt.allocation_created-v1',
    ...position,
    ...posted,
    ...removed,
  ],
  'late-fees-calculator': [
    'late_payment_fee_calculator_started-v1',
    'late_payment_fee_calculator_fee_applied-v1',
    'late_payment_fee_calculator_completed-v1',
    'delinquent_debt.allocation_created-v1',
    ...position,
    ...posted,
  ],
  'deposit-agreement': [
    'credit_check.created-v1',
    'deposit_agreement.accepted-v1',
    'deposit_agreement.withdrawn-v1',
    'deposit_agreement.fulfilled-v1',
    'deposit_agreement.instalment_returned-v1',
    'deposit_agreement.returned-v1',
    'collateral_agreement.fulfilled-v1',
    ...posted,
  ],
  approvals: [
    'approvals.approval.created-v1',
    'approvals.approval_request.assigned-v1',
    'approvals.approval_request.approved-v1',
    'approvals.approval_request.rejected-v1',
    'approvals.approval.approved-v1',
    'approvals.approval.rejected-v1',
    ...posted,
  ],
};

describe('events of bills and debts', () => {
  it.each(Object.entries(facts))('match the expected list over all branches: %s', async (name, expected) => {
    const forced = Object.entries(findScenario(name).branches).flatMap(([branch, outcomes]) =>
      Object.keys(outcomes).map((outcome) => ({ [branch]: outcome })),
    );
    const seen = new Set<string>();
    for (const choice of forced.length > 0 ? forced : [{}]) {
      for (const { envelope } of await play(name, { seed: 5, instances: 12, branches: choice })) {
        seen.add(`${envelope.event_type}-${envelope.version}`);
      }
    }
    expect([...seen].sort()).toEqual([...new Set(expected)].sort());
  });
});

import { describe, expect, it } from 'vitest';
import { scenarios } from '../../../emulator/index.js';
import { play } from './play.js';

/** The event versions that occur over all branches of the processes of supply, industry and import: facts. */
const facts: Record<string, readonly string[]> = {
  'join-switch-gain': [
    'account.created v1',
    'account_user.created v1',
    'affiliates.affiliate-account-contract-created v1',
    'agreement.created v1',
    'agreement.revoked v1',
    'agreement.revoked v2',
    'billing.charging-ledger.assigned-to-agreement v1',
    'campaign_account.added v1',
    'consents.consent.created v1',
    'credit_check.created v1',
    'industry.electricity.change_of_supply.gain.initiated v1',
    'industry.gas.change_of_supply.gain.initiated v1',
    'lifecycle.enrollment.loyalty-points-qualification-reversed v1',
    'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point v2',
    'lifecycle.join-supplier.activation.completed v1',
    'lifecycle.join-supplier.activation.initiated v1',
    'lifecycle.join-supplier.agreement.created v1',
    'lifecycle.join-supplier.await-post-activation-flow-step.initiated v1',
    'lifecycle.join-supplier.await-pre-activation-flow-step.initiated v1',
    'lifecycle.join-supplier.await-pre-discovery-flow-step.initiated v1',
    'lifecycle.join-supplier.cancellation-requested v1',
    'lifecycle.join-supplier.cancelled v1',
    'lifecycle.join-supplier.completed v1',
    'lifecycle.join-supplier.requested v1',
    'lifecycle.join-supplier.reversal-requested v1',
    'lifecycle.join-supplier.reversed v1',
    'lifecycle.join-supplier.supply-period.created v1',
    'lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated v1',
    'lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated v1',
    'lifecycle.join_supplier._ensure_payment_instructions.step_completed v2',
    'lifecycle.join_supplier._ensure_payment_instructions.step_initiated v2',
    'lifecycle.join_supplier.security_deposits.created v1',
    'lifecycle.join_supplier.terms-and-conditions.accepted v2',
    'lifecycle.status-changed v1',
    'lifecycle.support-site.sale 1.0.0',
    'meterpoint.elec.cos_gain.registration.requested v1',
    'meterpoint.gas.appoint_mam.requested v1',
    'meterpoint.gas.cos_gain.mtd_received v1',
    'meterpoint.gas.cos_gain.registration.confirmed v1',
    'meterpoint.gas.cos_gain.registration.requested v1',
  ],
  'switch-loss': [
    'account.reactivated v1',
    'agreement.created v1',
    'agreement.terminated v1',
    'agreement.terminated v2',
    'billing.charging-ledger.assigned-to-agreement v1',
    'billing.charging.supply-point.triggered v1',
    'billing.final_bill v1',
    'billing.ledger.entry_posted v1',
    'billing.ledger.entry_posted v2',
    'industry.electricity.change_of_supply.loss.complete v1',
    'industry.gas.change_of_supply.loss.complete v1',
    'lifecycle.leave-supplier.await-post-deactivation-flow-step.initiated v1',
    'lifecycle.leave-supplier.await-post-termination-flow-step.initiated v1',
    'lifecycle.leave-supplier.await-pre-termination-flow-step.initiated v1',
    'lifecycle.leave-supplier.cancellation-requested v2',
    'lifecycle.leave-supplier.cancelled v2',
    'lifecycle.leave-supplier.completed v3',
    'lifecycle.leave-supplier.requested v2',
    'lifecycle.leave-supplier.requested v3',
    'lifecycle.leave-supplier.reversal-requested v2',
    'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated v1',
    'lifecycle.leave-supplier.supply-point-journey-await-pre-agreement-termination-flow-step.initiated v1',
    'lifecycle.leave-supplier.supply-point-journey-await-pre-termination-flow-step.initiated v1',
    'lifecycle.leave-supplier.termination.confirmed v2',
    'lifecycle.leave-supplier.termination.initiated v1',
    'lifecycle.leave-supplier.updated v2',
    'lifecycle.leave-supplier.updated v3',
    'lifecycle.status-changed v1',
    'meterpoint.gas.cos_loss.confirmed v1',
    'meterpoint.gas.deappoint_mam.requested v1',
  ],
  'account-reactivation': ['account.reactivated v1', 'account.updated v1'],
  'agreement-changes': [
    'agreement.created v1',
    'agreement.revoked v1',
    'agreement.revoked v2',
    'agreement.rollover.completed v1',
    'agreement.updated v1',
    'agreement.updated v2',
    'billing.charging-ledger.assigned-to-agreement v1',
  ],
  'gas-mam-and-backfill': [
    'meterpoint.gas.api_backfill v1',
    'meterpoint.gas.appoint_mam.requested v1',
    'meterpoint.gas.backfill v1',
    'meterpoint.gas.change_of_cohort.requested v1',
    'meterpoint.gas.change_of_mam.requested v1',
    'meterpoint.gas.deappoint_mam.requested v1',
  ],
  'gas-disputed-opening': [
    'billing.ledger.entry_posted v1',
    'billing.ledger.entry_posted v2',
    'billing.ledger.entry_removed v1',
    'billing.ledger.entry_removed v2',
    'meterpoint.gas.disputed_opening_reading.accepted.by_us v1',
    'meterpoint.gas.disputed_opening_reading.accepted.other_supplier v1',
  ],
  'gas-disputed-closing': [
    'meterpoint.gas.disputed_closing_reading.accepted.by_us v1',
    'meterpoint.gas.disputed_closing_reading.accepted.other_supplier v1',
    'meterpoint.gas.disputed_closing_reading.alternative_proposed.by_us v1',
    'meterpoint.gas.disputed_closing_reading.alternative_proposed.other_supplier v1',
    'meterpoint.gas.disputed_closing_reading.queried.by_us v1',
    'meterpoint.gas.disputed_closing_reading.started.by_us v1',
    'meterpoint.gas.disputed_closing_reading.started.other_supplier v1',
  ],
  'meter-data-quality': [
    'meter_data_quality.resolution_cancelled v1',
    'meter_data_quality.resolution_cancelled v2',
    'meter_data_quality.resolution_requested v1',
  ],
  'energisation-and-service': [
    'industry.electricity.change_of_energisation.unsolicited_message v1',
    'industry.electricity.change_of_service.meter_deactivated v1',
  ],
  'export-installation': [
    'agreement.created v1',
    'industry.electricity.export_installation.validated v1',
    'industry.electricity.export_installation.validated v2',
    'meterpoint.elec.cos_gain.registration.requested v1',
  ],
  'texas-market-status': ['meter_point.market.status.changed v1'],
  'data-import-account': [
    'account.created v1',
    'account_metadata.created v1',
    'account_user.created v1',
    'account_user.psr_records_updated v1',
    'agreement.created v1',
    'billing.ledger.entry_posted v1',
    'billing.ledger.entry_posted v2',
    'data_import.import_process.cancelled v1',
    'data_import.import_process.complete v1',
    'data_import.import_process.dry_run_complete v1',
    'data_import.import_process.dry_run_error v1',
    'data_import.import_process.error v1',
    'data_import.import_process.post_import.completed v1',
    'data_import.import_process.post_import.error v1',
    'meterpoint.elec.cos_gain.registration.requested v1',
    'meterpoint.gas.api_backfill v1',
  ],
  'data-import-order': [
    'data_import.order_process.cancelled v1',
    'data_import.order_process.complete v1',
    'data_import.order_process.error v1',
  ],
};

describe('events of supply processes', () => {
  it.each(Object.entries(facts))(
    'send, over all branches of %s, these events and no others',
    async (name, events) => {
      const branches = scenarios.find((scenario) => scenario.name === name)?.branches ?? {};
      const runs = Object.entries(branches).flatMap(([branch, outcomes]) =>
        Object.keys(outcomes).map((outcome) => ({ [branch]: outcome })),
      );
      const seen = new Set<string>();
      for (const forced of [{}, ...runs]) {
        for (const { envelope } of await play(name, { seed: 5, instances: 12, branches: forced })) {
          seen.add(`${envelope.event_type} ${envelope.version}`);
        }
      }
      expect([...seen].sort()).toEqual([...events].sort());
    },
  );
});

// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

type Run = readonly [group: string, events: string, key?: string];

/**
 * Every event version in catalogue order, in runs with one group and key: `account` if there is none. A line is a type,
 * and its version unless it is v1. Short, because each consumer has this list.
 */
export const events: readonly Run[] = [
  ['accounts-and-users', `account.communications_preferences_updated
account.created
account.occupied
account.reactivated
account.smart-meter-read-permission-changed
account.updated
account_metadata.created
account_metadata.removed
account_metadata.updated
account_property_effective_period_metadata.created
account_property_effective_period_metadata.removed
account_property_effective_period_metadata.updated`],
  ['accounts-and-users', `account_user.created
account_user.password_changed
account_user.password_reset_requested
account_user.psr_records_updated
account_user.removed
account_user.updated
account_user.verification_completed
account_user.verification_started
account_user_metadata.created
account_user_metadata.removed
account_user_metadata.updated`, 'user'],
  ['agreements-and-approvals', `actual.intervals.received
affiliates.affiliate-account-contract-created
agreement.created
agreement.revoked
agreement.revoked v2
agreement.rollover.completed
agreement.terminated
agreement.terminated v2
agreement.updated
agreement.updated v2
approvals.approval.approved
approvals.approval.created
approvals.approval.rejected
approvals.approval_request.approved
approvals.approval_request.assigned
approvals.approval_request.rejected`],
  ['authentication', `auth-server.access-token.issued
auth_server.account_user.generate_mfa_challenge_error
auth_server.account_user.logged_in
auth_server.account_user.login_denied
auth_server.account_user.login_failed
auth_server.account_user.login_step_completed`, 'user'],
  ['billing', `billing.billing_document.held
billing.billing_document.issued
billing.billing_document.issued v2
billing.billing_document_representation.dispatched
billing.billing_document_representation.dispatched v2
billing.billing_document_representation.dispatched v3
billing.billing_options.updated
billing.charging-ledger.assigned-to-agreement
billing.charging.supply-point.triggered`],
  ['billing', `billing.duos_invoice.cancel
billing.duos_invoice.new
billing.duos_invoice.replace`, 'duos-invoice'],
  ['billing', `billing.final_bill
billing.issuance.external_status.created
billing.issued_bill
billing.ledger.entry_posted
billing.ledger.entry_posted v2
billing.ledger.entry_removed
billing.ledger.entry_removed v2
billing.pathway_traversal.failed
billing.pathway_traversal.succeeded`],
  ['billing', `billing.portfolio_invoice_summary.completed`, 'portfolio-run'],
  ['billing', `billing.rebate.accepted
billing.rebate.created
billing.rebate.declined
billing.rebate.updated`],
  ['accounts-and-users', `business.created
business.updated
business_operations_team.updated`, 'business'],
  ['accounts-and-users', `campaign_account.added
campaign_account.removed
campaign_account.updated`],
  ['billing', `charging.priming.errored`],
  ['debt-and-collections', `collateral_agreement.fulfilled
collection_proceeding.created
collection_process.comm_step_resolved
collection_process.leave_supplier_instigated
collection_process.paused
collection_process.raised
collection_process.reactivated
collection_process.run_termination_requested
collection_process.unpaused
collection_process.withdrawn
collection_process.withdrawn v2`],
  ['communications', `comms.account-call.updated
comms.customer_email_bounced`],
  ['communications', `comms.push-notification.received-unregistered-or-expired-token`, 'user'],
  ['communications', `comms.transcription.created`],
  ['contracts-and-sales', `complex_quoting.cost_calculation_finished`, 'lead'],
  ['contracts-and-sales', `consents.consent.created
consents.consent.updated`, 'user'],
  ['contracts-and-sales', `contract-groups.created
contract-groups.memberships-changed
contract-groups.version-created`, 'contract-group'],
  ['contracts-and-sales', `contracts.actualized
contracts.created
contracts.expired
contracts.expiry-approaching
contracts.journeys.creation.started
contracts.journeys.termination.started
contracts.journeys.variation.started
contracts.novated
contracts.rescinded
contracts.revoked
contracts.subject-amended
contracts.terminated
contracts.terms-varied`],
  ['debt-and-collections', `credit_check.created`],
  ['access-roles', `customer_access.partner_roles.created
customer_access.partner_roles.updated
customer_access.partner_user_roles.created
customer_access.partner_user_roles.updated
customer_access.user_roles.created
customer_access.user_roles.updated`, 'access-role'],
  ['data-import', `data_import.import_process.cancelled
data_import.import_process.complete
data_import.import_process.dry_run_complete
data_import.import_process.dry_run_error
data_import.import_process.error
data_import.import_process.post_import.completed
data_import.import_process.post_import.error`, 'import-process'],
  ['data-import', `data_import.order_process.cancelled
data_import.order_process.complete
data_import.order_process.error`, 'imported-order'],
  ['debt-and-collections', `debt.actioning.automated_debt_write_back.completed
debt.actioning.automated_debt_write_back.failed
debt.actioning.automated_debt_write_back.skipped
delinquent_debt.allocation_created
delinquent_debt.position_changed
delinquent_debt.position_changed v2
deposit_agreement.accepted
deposit_agreement.fulfilled
deposit_agreement.instalment_returned
deposit_agreement.returned
deposit_agreement.withdrawn
dunning_path_paused
dunning_path_started
dunning_path_unpaused
dunning_path_withdrawn`],
  ['communications', `external_messaging.uploaded_file.processed
external_messaging.uploaded_file.processing_failed
external_messaging.uploaded_file.safe
external_messaging.uploaded_file.unsafe`, 'uploaded-file'],
  ['flexible-devices', `flex_device.deauthenticated
flex_device.disconnected
flex_device.optimisation_created
flex_device.registered`],
  ['contracts-and-sales', `goods.purchase-created
goods.quote.created-for-account`],
  ['contracts-and-sales', `goods.quote.created-without-account`, 'lead'],
  ['industry-and-meter-points', `industry.electricity.change_of_energisation.unsolicited_message
industry.electricity.change_of_service.meter_deactivated
industry.electricity.change_of_supply.gain.initiated
industry.electricity.change_of_supply.loss.complete
industry.electricity.export_installation.validated
industry.electricity.export_installation.validated v2
industry.gas.change_of_supply.gain.initiated
industry.gas.change_of_supply.loss.complete`],
  ['communications', `ink.actions.run
ink.content.inbound-message-tagged
ink.conversation.assigned_to_bucket
ink.conversation.assigned_to_timeline
ink.conversation.await_customer_reply
ink.conversation.closed
ink.conversation.open_status_changed
ink.conversation.opened
ink.conversation.priority.changed
ink.conversation.snoozed
ink.conversation.unassigned_from_bucket
ink.conversation.unassigned_from_timeline
ink.live-chat.closed
ink.live-chat.initiated
ink.live-chat.messages.outbound-message-created
ink.message_attachment.safe
ink.message_attachment.unsafe
ink.messages.inbound-email-migration
ink.messages.inbound-message-created
ink.messages.inbound-message-ingested
ink.messages.outbound-message-created
ink.messages.outbound-message-failed
ink.messages.phishing-report-dismissed
ink.messages.reported-phishing
ink.messages.reported-spam
ink.messages.spam-report-dismissed`],
  ['accounts-and-users', `internal_company.created`, 'internal-company'],
  ['debt-and-collections', `late_payment_fee_application_service_completed
late_payment_fee_application_service_fee_applied
late_payment_fee_application_service_started
late_payment_fee_calculation_service_completed
late_payment_fee_calculation_service_started
late_payment_fee_calculator_completed
late_payment_fee_calculator_fee_applied
late_payment_fee_calculator_started
late_payment_fee_waived`],
  ['contracts-and-sales', `leads.lead.stage-updated
leads.opportunity.document-attached-to-opportunity
leads.opportunity.offer-group.created v2
leads.opportunity.stage-updated`, 'lead'],
  ['enrolment-and-loyalty', `lifecycle.enrollment.loyalty-points-qualification-reversed
lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point v2`],
  ['joining-supply', `lifecycle.join-supplier.activation.completed
lifecycle.join-supplier.activation.initiated
lifecycle.join-supplier.agreement.created
lifecycle.join-supplier.await-post-activation-flow-step.initiated
lifecycle.join-supplier.await-pre-activation-flow-step.initiated
lifecycle.join-supplier.await-pre-discovery-flow-step.initiated
lifecycle.join-supplier.cancellation-requested
lifecycle.join-supplier.cancelled
lifecycle.join-supplier.completed
lifecycle.join-supplier.requested
lifecycle.join-supplier.reversal-requested
lifecycle.join-supplier.reversed
lifecycle.join-supplier.supply-period.created
lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated
lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated
lifecycle.join_supplier._ensure_payment_instructions.step_completed v2
lifecycle.join_supplier._ensure_payment_instructions.step_initiated v2
lifecycle.join_supplier.security_deposits.created
lifecycle.join_supplier.terms-and-conditions.accepted v2`],
  ['leaving-supply', `lifecycle.leave-supplier.await-post-deactivation-flow-step.initiated
lifecycle.leave-supplier.await-post-termination-flow-step.initiated
lifecycle.leave-supplier.await-pre-termination-flow-step.initiated
lifecycle.leave-supplier.cancellation-requested v2
lifecycle.leave-supplier.cancelled v2
lifecycle.leave-supplier.completed v3
lifecycle.leave-supplier.requested v2
lifecycle.leave-supplier.requested v3
lifecycle.leave-supplier.reversal-requested v2
lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated
lifecycle.leave-supplier.supply-point-journey-await-pre-agreement-termination-flow-step.initiated
lifecycle.leave-supplier.supply-point-journey-await-pre-termination-flow-step.initiated
lifecycle.leave-supplier.termination.confirmed v2
lifecycle.leave-supplier.termination.initiated
lifecycle.leave-supplier.updated v2
lifecycle.leave-supplier.updated v3`],
  ['enrolment-and-loyalty', `lifecycle.status-changed
lifecycle.support-site.sale 1.0.0`],
  ['accounts-and-users', `loyalty-points.user-role-removal`, 'user'],
  ['communications', `messaging.push-notification.token-unregistered`, 'user'],
  ['industry-and-meter-points', `meter_data_quality.resolution_cancelled
meter_data_quality.resolution_cancelled v2
meter_data_quality.resolution_requested
meter_point.market.status.changed
meterpoint.elec.cos_gain.registration.requested
meterpoint.gas.api_backfill
meterpoint.gas.appoint_mam.requested
meterpoint.gas.backfill
meterpoint.gas.change_of_cohort.requested
meterpoint.gas.change_of_mam.requested
meterpoint.gas.cos_gain.mtd_received
meterpoint.gas.cos_gain.registration.confirmed
meterpoint.gas.cos_gain.registration.requested
meterpoint.gas.cos_loss.confirmed
meterpoint.gas.deappoint_mam.requested
meterpoint.gas.disputed_closing_reading.accepted.by_us
meterpoint.gas.disputed_closing_reading.accepted.other_supplier
meterpoint.gas.disputed_closing_reading.alternative_proposed.by_us
meterpoint.gas.disputed_closing_reading.alternative_proposed.other_supplier
meterpoint.gas.disputed_closing_reading.queried.by_us
meterpoint.gas.disputed_closing_reading.started.by_us
meterpoint.gas.disputed_closing_reading.started.other_supplier
meterpoint.gas.disputed_opening_reading.accepted.by_us
meterpoint.gas.disputed_opening_reading.accepted.other_supplier`],
];

/** The names of the shared shapes. */
export const shapes: readonly string[] = `ActivatedSupplyPoint
ActivationInitiatedSupplyPoint
AllocationComponent
AmendedSubject
BillingAccount
ChargePeriod
CommsPreferencesChanges
Consent
ContractJourney
ContractReferences
DeviceDisconnected
Dispatch
DisputedReading
ElectricityMeterPoint
EnrollmentSupplyPoint
HouseMoveAccount
HouseMoveSupplyPoint
InkAction
InkContent
InkConversation
InkFailure
InkMessage
InkMessageContent
InkMessageWithVendor
JoinAgreement
JoinSupplyPoint
LeaveSupplyPoint
Ledger
LedgerEntry
LedgerEntryRemoval
Membership
Meter
MeterPointAccountStatus
NewMembership
OptimisationCreated
Payment
PaymentsAccount
PaymentsLedger
Period
Product
PsrRecord
Register
RemovedMeter
SigningIdentity
SubjectContractJourney
SupplyPeriodData
TerminatedSupplyPoint
TerminationInitiatedSupplyPoint
Trait
Version`.split('\n');

/** Changes with every schema. */
export const digest = '8f06ff39939104e4';

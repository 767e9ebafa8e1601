// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

type Run = readonly [group: string, events: string, key?: string];

/**
 * Every event version in catalogue order, in runs with one group and key: `account` if there is none. A line is a type,
 * and its version unless it is v1. An empty part of a type is that of the line before. Short, because each consumer has
 * this list.
 */
export const events: readonly Run[] = [
  ['accounts-and-users', `account.communications_preferences_updated
.created
.occupied
.reactivated
.smart-meter-read-permission-changed
.updated
account_metadata.created
.removed
.updated
account_property_effective_period_metadata.created
.removed
.updated`],
  ['accounts-and-users', `account_user.created
.password_changed
.password_reset_requested
.psr_records_updated
.removed
.updated
.verification_completed
.verification_started
account_user_metadata.created
.removed
.updated`, 'user'],
  ['agreements-and-approvals', `actual.intervals.received
affiliates.affiliate-account-contract-created
agreement.created
.revoked
. v2
.rollover.completed
.terminated
. v2
.updated
. v2
approvals.approval.approved
..created
..rejected
.approval_request.approved
..assigned
..rejected`],
  ['authentication', `auth-server.access-token.issued
auth_server.account_user.generate_mfa_challenge_error
..logged_in
..login_denied
..login_failed
..login_step_completed`, 'user'],
  ['billing', `billing.billing_document.held
..issued
.. v2
.billing_document_representation.dispatched
.. v2
.. v3
.billing_options.updated
.charging-ledger.assigned-to-agreement
.charging.supply-point.triggered`],
  ['billing', `.duos_invoice.cancel
..new
..replace`, 'duos-invoice'],
  ['billing', `.final_bill
.issuance.external_status.created
.issued_bill
.ledger.entry_posted
.. v2
..entry_removed
.. v2
.pathway_traversal.failed
..succeeded`],
  ['billing', `.portfolio_invoice_summary.completed`, 'portfolio-run'],
  ['billing', `.rebate.accepted
..created
..declined
..updated`],
  ['accounts-and-users', `business.created
.updated
business_operations_team.`, 'business'],
  ['accounts-and-users', `campaign_account.added
.removed
.updated`],
  ['billing', `charging.priming.errored`],
  ['debt-and-collections', `collateral_agreement.fulfilled
collection_proceeding.created
collection_process.comm_step_resolved
.leave_supplier_instigated
.paused
.raised
.reactivated
.run_termination_requested
.unpaused
.withdrawn
. v2`],
  ['communications', `comms.account-call.updated
.customer_email_bounced`],
  ['communications', `.push-notification.received-unregistered-or-expired-token`, 'user'],
  ['communications', `.transcription.created`],
  ['contracts-and-sales', `complex_quoting.cost_calculation_finished`, 'lead'],
  ['contracts-and-sales', `consents.consent.created
..updated`, 'user'],
  ['contracts-and-sales', `contract-groups.created
.memberships-changed
.version-created`, 'contract-group'],
  ['contracts-and-sales', `contracts.actualized
.created
.expired
.expiry-approaching
.journeys.creation.started
..termination.
..variation.
.novated
.rescinded
.revoked
.subject-amended
.terminated
.terms-varied`],
  ['debt-and-collections', `credit_check.created`],
  ['access-roles', `customer_access.partner_roles.created
..updated
.partner_user_roles.created
..updated
.user_roles.created
..updated`, 'access-role'],
  ['data-import', `data_import.import_process.cancelled
..complete
..dry_run_complete
..dry_run_error
..error
..post_import.completed
...error`, 'import-process'],
  ['data-import', `.order_process.cancelled
..complete
..error`, 'imported-order'],
  ['debt-and-collections', `debt.actioning.automated_debt_write_back.completed
...failed
...skipped
delinquent_debt.allocation_created
.position_changed
. v2
deposit_agreement.accepted
.fulfilled
.instalment_returned
.returned
.withdrawn
dunning_path_paused
dunning_path_started
dunning_path_unpaused
dunning_path_withdrawn`],
  ['communications', `external_messaging.uploaded_file.processed
..processing_failed
..safe
..unsafe`, 'uploaded-file'],
  ['flexible-devices', `flex_device.deauthenticated
.disconnected
.optimisation_created
.registered`],
  ['contracts-and-sales', `goods.purchase-created
.quote.created-for-account`],
  ['contracts-and-sales', `..created-without-account`, 'lead'],
  ['industry-and-meter-points', `industry.electricity.change_of_energisation.unsolicited_message
..change_of_service.meter_deactivated
..change_of_supply.gain.initiated
...loss.complete
..export_installation.validated
... v2
.gas.change_of_supply.gain.initiated
...loss.complete`],
  ['communications', `ink.actions.run
.content.inbound-message-tagged
.conversation.assigned_to_bucket
..assigned_to_timeline
..await_customer_reply
..closed
..open_status_changed
..opened
..priority.changed
..snoozed
..unassigned_from_bucket
..unassigned_from_timeline
.live-chat.closed
..initiated
..messages.outbound-message-created
.message_attachment.safe
..unsafe
.messages.inbound-email-migration
..inbound-message-created
..inbound-message-ingested
..outbound-message-created
..outbound-message-failed
..phishing-report-dismissed
..reported-phishing
..reported-spam
..spam-report-dismissed`],
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
.opportunity.document-attached-to-opportunity
..offer-group.created v2
..stage-updated`, 'lead'],
  ['enrolment-and-loyalty', `lifecycle.enrollment.loyalty-points-qualification-reversed
..supply-status-qualifies-account-for-loyalty-point v2`],
  ['joining-supply', `.join-supplier.activation.completed
...initiated
..agreement.created
..await-post-activation-flow-step.initiated
..await-pre-activation-flow-step.
..await-pre-discovery-flow-step.
..cancellation-requested
..cancelled
..completed
..requested
..reversal-requested
..reversed
..supply-period.created
..supply-point-journey-await-post-activation-flow-step.initiated
..supply-point-journey-await-pre-activation-flow-step.
.join_supplier._ensure_payment_instructions.step_completed v2
...step_initiated v2
..security_deposits.created
..terms-and-conditions.accepted v2`],
  ['leaving-supply', `.leave-supplier.await-post-deactivation-flow-step.initiated
..await-post-termination-flow-step.
..await-pre-termination-flow-step.
..cancellation-requested v2
..cancelled v2
..completed v3
..requested v2
.. v3
..reversal-requested v2
..supply-point-journey-await-post-termination-flow-step.initiated
..supply-point-journey-await-pre-agreement-termination-flow-step.
..supply-point-journey-await-pre-termination-flow-step.
..termination.confirmed v2
...initiated
..updated v2
.. v3`],
  ['enrolment-and-loyalty', `.status-changed
.support-site.sale 1.0.0`],
  ['accounts-and-users', `loyalty-points.user-role-removal`, 'user'],
  ['communications', `messaging.push-notification.token-unregistered`, 'user'],
  ['industry-and-meter-points', `meter_data_quality.resolution_cancelled
. v2
.resolution_requested
meter_point.market.status.changed
meterpoint.elec.cos_gain.registration.requested
.gas.api_backfill
..appoint_mam.requested
..backfill
..change_of_cohort.requested
..change_of_mam.
..cos_gain.mtd_received
...registration.confirmed
....requested
..cos_loss.confirmed
..deappoint_mam.requested
..disputed_closing_reading.accepted.by_us
....other_supplier
...alternative_proposed.by_us
....other_supplier
...queried.by_us
...started.
....other_supplier
..disputed_opening_reading.accepted.by_us
....other_supplier`],
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

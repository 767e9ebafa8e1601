// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.

/** The payload of every event of the catalogue, by event type and version. */
export interface BuiltInEvents {
  'account.communications_preferences_updated': {
    v1: AccountCommunicationsPreferencesUpdatedV1;
  };
  'account.created': {
    v1: AccountCreatedV1;
  };
  'account.occupied': {
    v1: AccountOccupiedV1;
  };
  'account.reactivated': {
    v1: AccountReactivatedV1;
  };
  'account.smart-meter-read-permission-changed': {
    v1: AccountSmartMeterReadPermissionChangedV1;
  };
  'account.updated': {
    v1: AccountUpdatedV1;
  };
  'account_metadata.created': {
    v1: AccountMetadataCreatedV1;
  };
  'account_metadata.removed': {
    v1: AccountMetadataRemovedV1;
  };
  'account_metadata.updated': {
    v1: AccountMetadataUpdatedV1;
  };
  'account_property_effective_period_metadata.created': {
    v1: AccountPropertyEffectivePeriodMetadataCreatedV1;
  };
  'account_property_effective_period_metadata.removed': {
    v1: AccountPropertyEffectivePeriodMetadataRemovedV1;
  };
  'account_property_effective_period_metadata.updated': {
    v1: AccountPropertyEffectivePeriodMetadataUpdatedV1;
  };
  'account_user.created': {
    v1: AccountUserCreatedV1;
  };
  'account_user.password_changed': {
    v1: AccountUserPasswordChangedV1;
  };
  'account_user.password_reset_requested': {
    v1: AccountUserPasswordResetRequestedV1;
  };
  'account_user.psr_records_updated': {
    v1: AccountUserPsrRecordsUpdatedV1;
  };
  'account_user.removed': {
    v1: AccountUserRemovedV1;
  };
  'account_user.updated': {
    v1: AccountUserUpdatedV1;
  };
  'account_user.verification_completed': {
    v1: AccountUserVerificationCompletedV1;
  };
  'account_user.verification_started': {
    v1: AccountUserVerificationStartedV1;
  };
  'account_user_metadata.created': {
    v1: AccountUserMetadataCreatedV1;
  };
  'account_user_metadata.removed': {
    v1: AccountUserMetadataRemovedV1;
  };
  'account_user_metadata.updated': {
    v1: AccountUserMetadataUpdatedV1;
  };
  'actual.intervals.received': {
    v1: ActualIntervalsReceivedV1;
  };
  'affiliates.affiliate-account-contract-created': {
    v1: AffiliatesAffiliateAccountContractCreatedV1;
  };
  'agreement.created': {
    v1: AgreementCreatedV1;
  };
  'agreement.revoked': {
    v1: AgreementRevokedV1;
    v2: AgreementRevokedV2;
  };
  'agreement.rollover.completed': {
    v1: AgreementRolloverCompletedV1;
  };
  'agreement.terminated': {
    v1: AgreementTerminatedV1;
    v2: AgreementTerminatedV2;
  };
  'agreement.updated': {
    v1: AgreementUpdatedV1;
    v2: AgreementUpdatedV2;
  };
  'approvals.approval.approved': {
    v1: ApprovalsApprovalApprovedV1;
  };
  'approvals.approval.created': {
    v1: ApprovalsApprovalCreatedV1;
  };
  'approvals.approval.rejected': {
    v1: ApprovalsApprovalRejectedV1;
  };
  'approvals.approval_request.approved': {
    v1: ApprovalsApprovalRequestApprovedV1;
  };
  'approvals.approval_request.assigned': {
    v1: ApprovalsApprovalRequestAssignedV1;
  };
  'approvals.approval_request.rejected': {
    v1: ApprovalsApprovalRequestRejectedV1;
  };
  'auth-server.access-token.issued': {
    v1: AuthServerAccessTokenIssuedV1;
  };
  'auth_server.account_user.generate_mfa_challenge_error': {
    v1: AuthServerAccountUserGenerateMfaChallengeErrorV1;
  };
  'auth_server.account_user.logged_in': {
    v1: AuthServerAccountUserLoggedInV1;
  };
  'auth_server.account_user.login_denied': {
    v1: AuthServerAccountUserLoginDeniedV1;
  };
  'auth_server.account_user.login_failed': {
    v1: AuthServerAccountUserLoginFailedV1;
  };
  'auth_server.account_user.login_step_completed': {
    v1: AuthServerAccountUserLoginStepCompletedV1;
  };
  'billing.billing_document.held': {
    v1: BillingBillingDocumentHeldV1;
  };
  'billing.billing_document.issued': {
    v1: BillingBillingDocumentIssuedV1;
    v2: BillingBillingDocumentIssuedV2;
  };
  'billing.billing_document_representation.dispatched': {
    v1: BillingBillingDocumentRepresentationDispatchedV1;
    v2: BillingBillingDocumentRepresentationDispatchedV2;
    v3: BillingBillingDocumentRepresentationDispatchedV3;
  };
  'billing.billing_options.updated': {
    v1: BillingBillingOptionsUpdatedV1;
  };
  'billing.charging-ledger.assigned-to-agreement': {
    v1: BillingChargingLedgerAssignedToAgreementV1;
  };
  'billing.charging.supply-point.triggered': {
    v1: BillingChargingSupplyPointTriggeredV1;
  };
  'billing.duos_invoice.cancel': {
    v1: BillingDuosInvoiceCancelV1;
  };
  'billing.duos_invoice.new': {
    v1: BillingDuosInvoiceNewV1;
  };
  'billing.duos_invoice.replace': {
    v1: BillingDuosInvoiceReplaceV1;
  };
  'billing.final_bill': {
    v1: BillingFinalBillV1;
  };
  'billing.issuance.external_status.created': {
    v1: BillingIssuanceExternalStatusCreatedV1;
  };
  'billing.issued_bill': {
    v1: BillingIssuedBillV1;
  };
  'billing.ledger.entry_posted': {
    v1: BillingLedgerEntryPostedV1;
    v2: BillingLedgerEntryPostedV2;
  };
  'billing.ledger.entry_removed': {
    v1: BillingLedgerEntryRemovedV1;
    v2: BillingLedgerEntryRemovedV2;
  };
  'billing.pathway_traversal.failed': {
    v1: BillingPathwayTraversalFailedV1;
  };
  'billing.pathway_traversal.succeeded': {
    v1: BillingPathwayTraversalSucceededV1;
  };
  'billing.portfolio_invoice_summary.completed': {
    v1: BillingPortfolioInvoiceSummaryCompletedV1;
  };
  'billing.rebate.accepted': {
    v1: BillingRebateAcceptedV1;
  };
  'billing.rebate.created': {
    v1: BillingRebateCreatedV1;
  };
  'billing.rebate.declined': {
    v1: BillingRebateDeclinedV1;
  };
  'billing.rebate.updated': {
    v1: BillingRebateUpdatedV1;
  };
  'business.created': {
    v1: BusinessCreatedV1;
  };
  'business.updated': {
    v1: BusinessUpdatedV1;
  };
  'business_operations_team.updated': {
    v1: BusinessOperationsTeamUpdatedV1;
  };
  'campaign_account.added': {
    v1: CampaignAccountAddedV1;
  };
  'campaign_account.removed': {
    v1: CampaignAccountRemovedV1;
  };
  'campaign_account.updated': {
    v1: CampaignAccountUpdatedV1;
  };
  'charging.priming.errored': {
    v1: ChargingPrimingErroredV1;
  };
  'collateral_agreement.fulfilled': {
    v1: CollateralAgreementFulfilledV1;
  };
  'collection_proceeding.created': {
    v1: CollectionProceedingCreatedV1;
  };
  'collection_process.comm_step_resolved': {
    v1: CollectionProcessCommStepResolvedV1;
  };
  'collection_process.leave_supplier_instigated': {
    v1: CollectionProcessLeaveSupplierInstigatedV1;
  };
  'collection_process.paused': {
    v1: CollectionProcessPausedV1;
  };
  'collection_process.raised': {
    v1: CollectionProcessRaisedV1;
  };
  'collection_process.reactivated': {
    v1: CollectionProcessReactivatedV1;
  };
  'collection_process.run_termination_requested': {
    v1: CollectionProcessRunTerminationRequestedV1;
  };
  'collection_process.unpaused': {
    v1: CollectionProcessUnpausedV1;
  };
  'collection_process.withdrawn': {
    v1: CollectionProcessWithdrawnV1;
    v2: CollectionProcessWithdrawnV2;
  };
  'comms.account-call.updated': {
    v1: CommsAccountCallUpdatedV1;
  };
  'comms.customer_email_bounced': {
    v1: CommsCustomerEmailBouncedV1;
  };
  'comms.push-notification.received-unregistered-or-expired-token': {
    v1: CommsPushNotificationReceivedUnregisteredOrExpiredTokenV1;
  };
  'comms.transcription.created': {
    v1: CommsTranscriptionCreatedV1;
  };
  'complex_quoting.cost_calculation_finished': {
    v1: ComplexQuotingCostCalculationFinishedV1;
  };
  'consents.consent.created': {
    v1: ConsentsConsentCreatedV1;
  };
  'consents.consent.updated': {
    v1: ConsentsConsentUpdatedV1;
  };
  'contract-groups.created': {
    v1: ContractGroupsCreatedV1;
  };
  'contract-groups.memberships-changed': {
    v1: ContractGroupsMembershipsChangedV1;
  };
  'contract-groups.version-created': {
    v1: ContractGroupsVersionCreatedV1;
  };
  'contracts.actualized': {
    v1: ContractsActualizedV1;
  };
  'contracts.created': {
    v1: ContractsCreatedV1;
  };
  'contracts.expired': {
    v1: ContractsExpiredV1;
  };
  'contracts.expiry-approaching': {
    v1: ContractsExpiryApproachingV1;
  };
  'contracts.journeys.creation.started': {
    v1: ContractsJourneysCreationStartedV1;
  };
  'contracts.journeys.termination.started': {
    v1: ContractsJourneysTerminationStartedV1;
  };
  'contracts.journeys.variation.started': {
    v1: ContractsJourneysVariationStartedV1;
  };
  'contracts.novated': {
    v1: ContractsNovatedV1;
  };
  'contracts.rescinded': {
    v1: ContractsRescindedV1;
  };
  'contracts.revoked': {
    v1: ContractsRevokedV1;
  };
  'contracts.subject-amended': {
    v1: ContractsSubjectAmendedV1;
  };
  'contracts.terminated': {
    v1: ContractsTerminatedV1;
  };
  'contracts.terms-varied': {
    v1: ContractsTermsVariedV1;
  };
  'credit_check.created': {
    v1: CreditCheckCreatedV1;
  };
  'customer_access.partner_roles.created': {
    v1: CustomerAccessPartnerRolesCreatedV1;
  };
  'customer_access.partner_roles.updated': {
    v1: CustomerAccessPartnerRolesUpdatedV1;
  };
  'customer_access.partner_user_roles.created': {
    v1: CustomerAccessPartnerUserRolesCreatedV1;
  };
  'customer_access.partner_user_roles.updated': {
    v1: CustomerAccessPartnerUserRolesUpdatedV1;
  };
  'customer_access.user_roles.created': {
    v1: CustomerAccessUserRolesCreatedV1;
  };
  'customer_access.user_roles.updated': {
    v1: CustomerAccessUserRolesUpdatedV1;
  };
  'data_import.import_process.cancelled': {
    v1: DataImportImportProcessCancelledV1;
  };
  'data_import.import_process.complete': {
    v1: DataImportImportProcessCompleteV1;
  };
  'data_import.import_process.dry_run_complete': {
    v1: DataImportImportProcessDryRunCompleteV1;
  };
  'data_import.import_process.dry_run_error': {
    v1: DataImportImportProcessDryRunErrorV1;
  };
  'data_import.import_process.error': {
    v1: DataImportImportProcessErrorV1;
  };
  'data_import.import_process.post_import.completed': {
    v1: DataImportImportProcessPostImportCompletedV1;
  };
  'data_import.import_process.post_import.error': {
    v1: DataImportImportProcessPostImportErrorV1;
  };
  'data_import.order_process.cancelled': {
    v1: DataImportOrderProcessCancelledV1;
  };
  'data_import.order_process.complete': {
    v1: DataImportOrderProcessCompleteV1;
  };
  'data_import.order_process.error': {
    v1: DataImportOrderProcessErrorV1;
  };
  'debt.actioning.automated_debt_write_back.completed': {
    v1: DebtActioningAutomatedDebtWriteBackCompletedV1;
  };
  'debt.actioning.automated_debt_write_back.failed': {
    v1: DebtActioningAutomatedDebtWriteBackFailedV1;
  };
  'debt.actioning.automated_debt_write_back.skipped': {
    v1: DebtActioningAutomatedDebtWriteBackSkippedV1;
  };
  'delinquent_debt.allocation_created': {
    v1: DelinquentDebtAllocationCreatedV1;
  };
  'delinquent_debt.position_changed': {
    v1: DelinquentDebtPositionChangedV1;
    v2: DelinquentDebtPositionChangedV2;
  };
  'deposit_agreement.accepted': {
    v1: DepositAgreementAcceptedV1;
  };
  'deposit_agreement.fulfilled': {
    v1: DepositAgreementFulfilledV1;
  };
  'deposit_agreement.instalment_returned': {
    v1: DepositAgreementInstalmentReturnedV1;
  };
  'deposit_agreement.returned': {
    v1: DepositAgreementReturnedV1;
  };
  'deposit_agreement.withdrawn': {
    v1: DepositAgreementWithdrawnV1;
  };
  dunning_path_paused: {
    v1: DunningPathPausedV1;
  };
  dunning_path_started: {
    v1: DunningPathStartedV1;
  };
  dunning_path_unpaused: {
    v1: DunningPathUnpausedV1;
  };
  dunning_path_withdrawn: {
    v1: DunningPathWithdrawnV1;
  };
  'external_messaging.uploaded_file.processed': {
    v1: ExternalMessagingUploadedFileProcessedV1;
  };
  'external_messaging.uploaded_file.processing_failed': {
    v1: ExternalMessagingUploadedFileProcessingFailedV1;
  };
  'external_messaging.uploaded_file.safe': {
    v1: ExternalMessagingUploadedFileSafeV1;
  };
  'external_messaging.uploaded_file.unsafe': {
    v1: ExternalMessagingUploadedFileUnsafeV1;
  };
  'flex_device.deauthenticated': {
    v1: FlexDeviceDeauthenticatedV1;
  };
  'flex_device.disconnected': {
    v1: FlexDeviceDisconnectedV1;
  };
  'flex_device.optimisation_created': {
    v1: FlexDeviceOptimisationCreatedV1;
  };
  'flex_device.registered': {
    v1: FlexDeviceRegisteredV1;
  };
  'goods.purchase-created': {
    v1: GoodsPurchaseCreatedV1;
  };
  'goods.quote.created-for-account': {
    v1: GoodsQuoteCreatedForAccountV1;
  };
  'goods.quote.created-without-account': {
    v1: GoodsQuoteCreatedWithoutAccountV1;
  };
  'industry.electricity.change_of_energisation.unsolicited_message': {
    v1: IndustryElectricityChangeOfEnergisationUnsolicitedMessageV1;
  };
  'industry.electricity.change_of_service.meter_deactivated': {
    v1: IndustryElectricityChangeOfServiceMeterDeactivatedV1;
  };
  'industry.electricity.change_of_supply.gain.initiated': {
    v1: IndustryElectricityChangeOfSupplyGainInitiatedV1;
  };
  'industry.electricity.change_of_supply.loss.complete': {
    v1: IndustryElectricityChangeOfSupplyLossCompleteV1;
  };
  'industry.electricity.export_installation.validated': {
    v1: IndustryElectricityExportInstallationValidatedV1;
    v2: IndustryElectricityExportInstallationValidatedV2;
  };
  'industry.gas.change_of_supply.gain.initiated': {
    v1: IndustryGasChangeOfSupplyGainInitiatedV1;
  };
  'industry.gas.change_of_supply.loss.complete': {
    v1: IndustryGasChangeOfSupplyLossCompleteV1;
  };
  'ink.actions.run': {
    v1: InkActionsRunV1;
  };
  'ink.content.inbound-message-tagged': {
    v1: InkContentInboundMessageTaggedV1;
  };
  'ink.conversation.assigned_to_bucket': {
    v1: InkConversationAssignedToBucketV1;
  };
  'ink.conversation.assigned_to_timeline': {
    v1: InkConversationAssignedToTimelineV1;
  };
  'ink.conversation.await_customer_reply': {
    v1: InkConversationAwaitCustomerReplyV1;
  };
  'ink.conversation.closed': {
    v1: InkConversationClosedV1;
  };
  'ink.conversation.open_status_changed': {
    v1: InkConversationOpenStatusChangedV1;
  };
  'ink.conversation.opened': {
    v1: InkConversationOpenedV1;
  };
  'ink.conversation.priority.changed': {
    v1: InkConversationPriorityChangedV1;
  };
  'ink.conversation.snoozed': {
    v1: InkConversationSnoozedV1;
  };
  'ink.conversation.unassigned_from_bucket': {
    v1: InkConversationUnassignedFromBucketV1;
  };
  'ink.conversation.unassigned_from_timeline': {
    v1: InkConversationUnassignedFromTimelineV1;
  };
  'ink.live-chat.closed': {
    v1: InkLiveChatClosedV1;
  };
  'ink.live-chat.initiated': {
    v1: InkLiveChatInitiatedV1;
  };
  'ink.live-chat.messages.outbound-message-created': {
    v1: InkLiveChatMessagesOutboundMessageCreatedV1;
  };
  'ink.message_attachment.safe': {
    v1: InkMessageAttachmentSafeV1;
  };
  'ink.message_attachment.unsafe': {
    v1: InkMessageAttachmentUnsafeV1;
  };
  'ink.messages.inbound-email-migration': {
    v1: InkMessagesInboundEmailMigrationV1;
  };
  'ink.messages.inbound-message-created': {
    v1: InkMessagesInboundMessageCreatedV1;
  };
  'ink.messages.inbound-message-ingested': {
    v1: InkMessagesInboundMessageIngestedV1;
  };
  'ink.messages.outbound-message-created': {
    v1: InkMessagesOutboundMessageCreatedV1;
  };
  'ink.messages.outbound-message-failed': {
    v1: InkMessagesOutboundMessageFailedV1;
  };
  'ink.messages.phishing-report-dismissed': {
    v1: InkMessagesPhishingReportDismissedV1;
  };
  'ink.messages.reported-phishing': {
    v1: InkMessagesReportedPhishingV1;
  };
  'ink.messages.reported-spam': {
    v1: InkMessagesReportedSpamV1;
  };
  'ink.messages.spam-report-dismissed': {
    v1: InkMessagesSpamReportDismissedV1;
  };
  'internal_company.created': {
    v1: InternalCompanyCreatedV1;
  };
  late_payment_fee_application_service_completed: {
    v1: LatePaymentFeeApplicationServiceCompletedV1;
  };
  late_payment_fee_application_service_fee_applied: {
    v1: LatePaymentFeeApplicationServiceFeeAppliedV1;
  };
  late_payment_fee_application_service_started: {
    v1: LatePaymentFeeApplicationServiceStartedV1;
  };
  late_payment_fee_calculation_service_completed: {
    v1: LatePaymentFeeCalculationServiceCompletedV1;
  };
  late_payment_fee_calculation_service_started: {
    v1: LatePaymentFeeCalculationServiceStartedV1;
  };
  late_payment_fee_calculator_completed: {
    v1: LatePaymentFeeCalculatorCompletedV1;
  };
  late_payment_fee_calculator_fee_applied: {
    v1: LatePaymentFeeCalculatorFeeAppliedV1;
  };
  late_payment_fee_calculator_started: {
    v1: LatePaymentFeeCalculatorStartedV1;
  };
  late_payment_fee_waived: {
    v1: LatePaymentFeeWaivedV1;
  };
  'leads.lead.stage-updated': {
    v1: LeadsLeadStageUpdatedV1;
  };
  'leads.opportunity.document-attached-to-opportunity': {
    v1: LeadsOpportunityDocumentAttachedToOpportunityV1;
  };
  'leads.opportunity.offer-group.created': {
    v2: LeadsOpportunityOfferGroupCreatedV2;
  };
  'leads.opportunity.stage-updated': {
    v1: LeadsOpportunityStageUpdatedV1;
  };
  'lifecycle.enrollment.loyalty-points-qualification-reversed': {
    v1: LifecycleEnrollmentLoyaltyPointsQualificationReversedV1;
  };
  'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point': {
    v2: LifecycleEnrollmentSupplyStatusQualifiesAccountForLoyaltyPointV2;
  };
  'lifecycle.join-supplier.activation.completed': {
    v1: LifecycleJoinSupplierActivationCompletedV1;
  };
  'lifecycle.join-supplier.activation.initiated': {
    v1: LifecycleJoinSupplierActivationInitiatedV1;
  };
  'lifecycle.join-supplier.agreement.created': {
    v1: LifecycleJoinSupplierAgreementCreatedV1;
  };
  'lifecycle.join-supplier.await-post-activation-flow-step.initiated': {
    v1: LifecycleJoinSupplierAwaitPostActivationFlowStepInitiatedV1;
  };
  'lifecycle.join-supplier.await-pre-activation-flow-step.initiated': {
    v1: LifecycleJoinSupplierAwaitPreActivationFlowStepInitiatedV1;
  };
  'lifecycle.join-supplier.await-pre-discovery-flow-step.initiated': {
    v1: LifecycleJoinSupplierAwaitPreDiscoveryFlowStepInitiatedV1;
  };
  'lifecycle.join-supplier.cancellation-requested': {
    v1: LifecycleJoinSupplierCancellationRequestedV1;
  };
  'lifecycle.join-supplier.cancelled': {
    v1: LifecycleJoinSupplierCancelledV1;
  };
  'lifecycle.join-supplier.completed': {
    v1: LifecycleJoinSupplierCompletedV1;
  };
  'lifecycle.join-supplier.requested': {
    v1: LifecycleJoinSupplierRequestedV1;
  };
  'lifecycle.join-supplier.reversal-requested': {
    v1: LifecycleJoinSupplierReversalRequestedV1;
  };
  'lifecycle.join-supplier.reversed': {
    v1: LifecycleJoinSupplierReversedV1;
  };
  'lifecycle.join-supplier.supply-period.created': {
    v1: LifecycleJoinSupplierSupplyPeriodCreatedV1;
  };
  'lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated': {
    v1: LifecycleJoinSupplierSupplyPointJourneyAwaitPostActivationFlowStepInitiatedV1;
  };
  'lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated': {
    v1: LifecycleJoinSupplierSupplyPointJourneyAwaitPreActivationFlowStepInitiatedV1;
  };
  'lifecycle.join_supplier._ensure_payment_instructions.step_completed': {
    v2: LifecycleJoinSupplierEnsurePaymentInstructionsStepCompletedV2;
  };
  'lifecycle.join_supplier._ensure_payment_instructions.step_initiated': {
    v2: LifecycleJoinSupplierEnsurePaymentInstructionsStepInitiatedV2;
  };
  'lifecycle.join_supplier.security_deposits.created': {
    v1: LifecycleJoinSupplierSecurityDepositsCreatedV1;
  };
  'lifecycle.join_supplier.terms-and-conditions.accepted': {
    v2: LifecycleJoinSupplierTermsAndConditionsAcceptedV2;
  };
  'lifecycle.leave-supplier.await-post-deactivation-flow-step.initiated': {
    v1: LifecycleLeaveSupplierAwaitPostDeactivationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.await-post-termination-flow-step.initiated': {
    v1: LifecycleLeaveSupplierAwaitPostTerminationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.await-pre-termination-flow-step.initiated': {
    v1: LifecycleLeaveSupplierAwaitPreTerminationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.cancellation-requested': {
    v2: LifecycleLeaveSupplierCancellationRequestedV2;
  };
  'lifecycle.leave-supplier.cancelled': {
    v2: LifecycleLeaveSupplierCancelledV2;
  };
  'lifecycle.leave-supplier.completed': {
    v3: LifecycleLeaveSupplierCompletedV3;
  };
  'lifecycle.leave-supplier.requested': {
    v2: LifecycleLeaveSupplierRequestedV2;
    v3: LifecycleLeaveSupplierRequestedV3;
  };
  'lifecycle.leave-supplier.reversal-requested': {
    v2: LifecycleLeaveSupplierReversalRequestedV2;
  };
  'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated': {
    v1: LifecycleLeaveSupplierSupplyPointJourneyAwaitPostTerminationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.supply-point-journey-await-pre-agreement-termination-flow-step.initiated': {
    v1: LifecycleLeaveSupplierSupplyPointJourneyAwaitPreAgreementTerminationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.supply-point-journey-await-pre-termination-flow-step.initiated': {
    v1: LifecycleLeaveSupplierSupplyPointJourneyAwaitPreTerminationFlowStepInitiatedV1;
  };
  'lifecycle.leave-supplier.termination.confirmed': {
    v2: LifecycleLeaveSupplierTerminationConfirmedV2;
  };
  'lifecycle.leave-supplier.termination.initiated': {
    v1: LifecycleLeaveSupplierTerminationInitiatedV1;
  };
  'lifecycle.leave-supplier.updated': {
    v2: LifecycleLeaveSupplierUpdatedV2;
    v3: LifecycleLeaveSupplierUpdatedV3;
  };
  'lifecycle.status-changed': {
    v1: LifecycleStatusChangedV1;
  };
  'lifecycle.support-site.sale': {
    '1.0.0': LifecycleSupportSiteSaleV1_0_0;
  };
  'loyalty-points.user-role-removal': {
    v1: LoyaltyPointsUserRoleRemovalV1;
  };
  'messaging.push-notification.token-unregistered': {
    v1: MessagingPushNotificationTokenUnregisteredV1;
  };
  'meter_data_quality.resolution_cancelled': {
    v1: MeterDataQualityResolutionCancelledV1;
    v2: MeterDataQualityResolutionCancelledV2;
  };
  'meter_data_quality.resolution_requested': {
    v1: MeterDataQualityResolutionRequestedV1;
  };
  'meter_point.market.status.changed': {
    v1: MeterPointMarketStatusChangedV1;
  };
  'meterpoint.elec.cos_gain.registration.requested': {
    v1: MeterpointElecCosGainRegistrationRequestedV1;
  };
  'meterpoint.gas.api_backfill': {
    v1: MeterpointGasApiBackfillV1;
  };
  'meterpoint.gas.appoint_mam.requested': {
    v1: MeterpointGasAppointMamRequestedV1;
  };
  'meterpoint.gas.backfill': {
    v1: MeterpointGasBackfillV1;
  };
  'meterpoint.gas.change_of_cohort.requested': {
    v1: MeterpointGasChangeOfCohortRequestedV1;
  };
  'meterpoint.gas.change_of_mam.requested': {
    v1: MeterpointGasChangeOfMamRequestedV1;
  };
  'meterpoint.gas.cos_gain.mtd_received': {
    v1: MeterpointGasCosGainMtdReceivedV1;
  };
  'meterpoint.gas.cos_gain.registration.confirmed': {
    v1: MeterpointGasCosGainRegistrationConfirmedV1;
  };
  'meterpoint.gas.cos_gain.registration.requested': {
    v1: MeterpointGasCosGainRegistrationRequestedV1;
  };
  'meterpoint.gas.cos_loss.confirmed': {
    v1: MeterpointGasCosLossConfirmedV1;
  };
  'meterpoint.gas.deappoint_mam.requested': {
    v1: MeterpointGasDeappointMamRequestedV1;
  };
  'meterpoint.gas.disputed_closing_reading.accepted.by_us': {
    v1: MeterpointGasDisputedClosingReadingAcceptedByUsV1;
  };
  'meterpoint.gas.disputed_closing_reading.accepted.other_supplier': {
    v1: MeterpointGasDisputedClosingReadingAcceptedOtherSupplierV1;
  };
  'meterpoint.gas.disputed_closing_reading.alternative_proposed.by_us': {
    v1: MeterpointGasDisputedClosingReadingAlternativeProposedByUsV1;
  };
  'meterpoint.gas.disputed_closing_reading.alternative_proposed.other_supplier': {
    v1: MeterpointGasDisputedClosingReadingAlternativeProposedOtherSupplierV1;
  };
  'meterpoint.gas.disputed_closing_reading.queried.by_us': {
    v1: MeterpointGasDisputedClosingReadingQueriedByUsV1;
  };
  'meterpoint.gas.disputed_closing_reading.started.by_us': {
    v1: MeterpointGasDisputedClosingReadingStartedByUsV1;
  };
  'meterpoint.gas.disputed_closing_reading.started.other_supplier': {
    v1: MeterpointGasDisputedClosingReadingStartedOtherSupplierV1;
  };
  'meterpoint.gas.disputed_opening_reading.accepted.by_us': {
    v1: MeterpointGasDisputedOpeningReadingAcceptedByUsV1;
  };
  'meterpoint.gas.disputed_opening_reading.accepted.other_supplier': {
    v1: MeterpointGasDisputedOpeningReadingAcceptedOtherSupplierV1;
  };
}
/** A customer changed how they want to be written to: on paper, in which language, in which accessible format. */
export interface AccountCommunicationsPreferencesUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  changes: CommsPreferencesChanges;
}
/** The communication preferences that changed, each with its values. */
export interface CommsPreferencesChanges {
  /** Whether messages must go by post. */
  requires_postal_comms?: boolean[];
  /** The language of messages. */
  preferred_language_for_comms?: string[];
  /** Accessible formats, such as large print. */
  document_accessibility?: string[];
}
/** A customer account was opened, by a sign-up or by an import from another system. */
export interface AccountCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** E-mail addresses of the users of the account. */
  account_user_emails: string[];
  /** Whether the account came by import rather than by sign-up. */
  is_imported?: boolean;
}
/** The occupier of a property became known, so its account is now held by a named customer. */
export interface AccountOccupiedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** An account that had been closed or withdrawn is in use again. */
export interface AccountReactivatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Status before the event. */
  previous_status: string;
  /** Reason for reactivating the account. */
  reactivation_source: string;
}
/** A customer allowed finer or coarser readings to be taken from their smart meter. */
export interface AccountSmartMeterReadPermissionChangedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Interval of readings before the change. */
  old_permission: string;
  /** Interval of readings after the change. */
  new_permission: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** Id of the person who made the change. */
  changed_by_id: string;
  /** Kind of the person who made the change. */
  changed_by_type: string;
}
/** Details of an account changed; the payload lists what changed. */
export interface AccountUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** E-mail addresses of the users of the account. */
  account_user_emails: string[];
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
  /** Whether this overrode what would normally apply. */
  is_override?: boolean;
}
/** A key and value were attached to an account. */
export interface AccountMetadataCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A key and its value were taken off an account. */
export interface AccountMetadataRemovedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** The value behind a key on an account changed. */
export interface AccountMetadataUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** A key and value were attached to one account's period at a property. */
export interface AccountPropertyEffectivePeriodMetadataCreatedV1 {
  /** The period during which an account is at a property. */
  account_property_effective_period_id: number;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A key and its value were taken off one account's period at a property. */
export interface AccountPropertyEffectivePeriodMetadataRemovedV1 {
  /** The period during which an account is at a property. */
  account_property_effective_period_id: number;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A value attached to one account's period at a property changed. */
export interface AccountPropertyEffectivePeriodMetadataUpdatedV1 {
  /** The period during which an account is at a property. */
  account_property_effective_period_id: number;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** A person was given a login and linked to one or more accounts. */
export interface AccountUserCreatedV1 {
  /** Id of the user. */
  user_id: number;
  /** E-mail address of the user. */
  user_email: string;
  /** Number of the user. */
  user_number: string;
  /** The accounts that the person is linked to. Their contents are not specified. */
  linked_accounts: Record<string, unknown>[];
  /** Further ids of the person. Its contents are not specified. */
  user_identifiers?: Record<string, unknown>;
  /** Kind of the user who caused this. */
  initiator_type?: string;
  /** Whether the customer brought this about. */
  is_customer_initiated?: boolean;
}
/** A person set a new password. */
export interface AccountUserPasswordChangedV1 {
  /** Id of the user. */
  user_id: number;
}
/** A person asked for a link to reset their password. */
export interface AccountUserPasswordResetRequestedV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
}
/** A person's entries on the Priority Services Register, the list of vulnerable customers, changed. */
export interface AccountUserPsrRecordsUpdatedV1 {
  /** Id of the user. */
  user_id: number;
  /** Records that were created. */
  created_records: PsrRecord[];
  /** Records that were changed. */
  updated_records: PsrRecord[];
  /** Records that were deleted. */
  deleted_records: PsrRecord[];
}
/** One need on the Priority Services Register, with the industry's codes for it. */
export interface PsrRecord {
  /** Description of the need. */
  description: string;
  /** The need's code in the electricity industry. */
  electricity_industry_code: string;
  /** The need's code in the gas industry. */
  gas_industry_code: string;
}
/** A person's login and links to accounts were taken away. */
export interface AccountUserRemovedV1 {
  /** Id of the user. */
  user_id: number;
  /** E-mail address of the user. */
  user_email: string;
  /** Number of the user. */
  user_number: string;
  /** The accounts that the person is linked to. Their contents are not specified. */
  linked_accounts: Record<string, unknown>[];
  /** Further ids of the person. Its contents are not specified. */
  user_identifiers?: Record<string, unknown>;
  /** Kind of the user who caused this. */
  initiator_type?: string;
  /** Whether the customer brought this about. */
  is_customer_initiated?: boolean;
}
/** A person's details or linked accounts changed; the payload lists what changed. */
export interface AccountUserUpdatedV1 {
  /** Id of the user. */
  user_id: number;
  /** E-mail address of the user. */
  user_email: string;
  /** Number of the user. */
  user_number: string;
  /** The accounts that the person is linked to. Their contents are not specified. */
  linked_accounts: Record<string, unknown>[];
  /** Further ids of the person. Its contents are not specified. */
  user_identifiers?: Record<string, unknown>;
  /** Kind of the user who caused this. */
  initiator_type?: string;
  /** Whether the customer brought this about. */
  is_customer_initiated?: boolean;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
  /** Whether this overrode what would normally apply. */
  is_override?: boolean;
}
/** A check of a person's identity was concluded. */
export interface AccountUserVerificationCompletedV1 {
  /** Number of the user. */
  user_number: string;
  /** Id of the verification. */
  verification_id: number;
  /** Kind of the verification. */
  verification_type: string;
}
/** A check of a person's identity began. */
export interface AccountUserVerificationStartedV1 {
  /** Number of the user. */
  user_number: string;
  /** Id of the verification. */
  verification_id: number;
  /** Kind of the verification. */
  verification_type: string;
}
/** A key and value were attached to a person. */
export interface AccountUserMetadataCreatedV1 {
  /** Id of the user. */
  user_id: number;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A key and its value were taken off a person. */
export interface AccountUserMetadataRemovedV1 {
  /** Id of the user. */
  user_id: number;
  /** Name of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** The value behind a key on a person changed. */
export interface AccountUserMetadataUpdatedV1 {
  /** Id of the user. */
  user_id: number;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** Measured half-hourly consumption arrived for a period billed on estimates; bills from the given date can be redone. */
export interface ActualIntervalsReceivedV1 {
  /** Meter Point Administration Number: the electricity meter point. */
  mpan: string;
  /** The day from which bills can be redone. */
  rebill_from: string;
}
/** An account's sign-up was credited to the affiliate who referred it. */
export interface AffiliatesAffiliateAccountContractCreatedV1 {
  /** The sign-up that is credited to the affiliate. */
  affiliate_account_contract_id: number;
  /** The affiliate's contract with the supplier. */
  affiliate_contract_id: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Electricity or gas. */
  fuel: string;
}
/** A customer's supply point was put on a product from a given date. */
export interface AgreementCreatedV1 {
  /** Id of the agreement. */
  agreement_id: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Start of the validity. */
  valid_from: string;
  /** Code of the product. */
  product_code: string;
  /** The contract of the account that stands behind this, if any. */
  account_contract_identifier?: string;
  /** The contract of the business that stands behind this, if any. */
  business_contract_identifier?: string;
}
/** An agreement was undone as if it had never begun. */
export interface AgreementRevokedV1 {
  /** Id of the agreement. */
  agreement_id: number;
}
/** An agreement was undone as if it had never begun; names the account as well. */
export interface AgreementRevokedV2 {
  /** Id of the agreement. */
  agreement_id: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** An agreement ran out and the supply point moved on to the product that follows it. */
export interface AgreementRolloverCompletedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** A string here; an integer in billing.charging.supply-point.triggered. */
  supply_point_id: string;
  /** The agreement that ran out. */
  expiring_agreement_id: number;
  /** The agreement that follows it. */
  rolled_on_to_agreement_id: number;
  new_product: Product;
  /** Start of the agreement that follows. */
  rolled_on_to_agreement_valid_from: string;
  /** End of the agreement that follows. */
  rolled_on_to_agreement_valid_to: string;
}
/** A product that a supply point can be on. */
export interface Product {
  /** Code of the product. */
  code: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Code of the brand. */
  brand_code: string;
}
/** An agreement was brought to an end. */
export interface AgreementTerminatedV1 {
  /** Id of the agreement. */
  agreement_id: number;
}
/** An agreement was brought to an end; names the account as well. */
export interface AgreementTerminatedV2 {
  /** Id of the agreement. */
  agreement_id: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** The terms or dates of an agreement changed; the payload lists what changed. */
export interface AgreementUpdatedV1 {
  /** Id of the agreement. */
  agreement_id: number;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
  /** Whether this overrode what would normally apply. */
  is_override?: boolean;
}
/** The terms or dates of an agreement changed; names the account as well. */
export interface AgreementUpdatedV2 {
  /** Id of the agreement. */
  agreement_id: number;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
  /** Whether this overrode what would normally apply. */
  is_override?: boolean;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** A submitted step received all the consent it needs and may go ahead. */
export interface ApprovalsApprovalApprovedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** The request. Its contents are not specified. */
  process_data: Record<string, unknown>;
  /** Time at which the request was approved. */
  approved_at: string;
}
/** A step that needs a colleague's consent, such as a refund, was submitted for approval. */
export interface ApprovalsApprovalCreatedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** Time at which it was requested. */
  requested_at: string;
  /** Id of the colleague to whom the request is assigned. */
  assigned_to_id: number;
  /** Id of the colleague who made the request. */
  requested_by_id: number;
}
/** A submitted step was refused and will not happen. */
export interface ApprovalsApprovalRejectedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** The request. Its contents are not specified. */
  process_data: Record<string, unknown>;
  /** Time at which the request was rejected. */
  rejected_at: string;
}
/** One approver said yes, with a reason. */
export interface ApprovalsApprovalRequestApprovedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** Id of the request. */
  request_id: string;
  /** Id of the colleague who approved the request. */
  approved_by_id: number;
  /** Time at which the request was approved. */
  approved_at: string;
  /** Reason for the approval. */
  approval_reason: string;
}
/** One approver was asked to decide. */
export interface ApprovalsApprovalRequestAssignedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** Id of the request. */
  request_id: string;
  /** Id of the colleague to whom the request is assigned. */
  assigned_to_id: number;
  /** Time at which the request was assigned. */
  assigned_at: string;
}
/** One approver said no, with a reason. */
export interface ApprovalsApprovalRequestRejectedV1 {
  /** Id of the approval request. */
  approval_id: string;
  /** Kind of the request, such as a refund. */
  process_type: string;
  /** Id of the request. */
  request_id: string;
  /** Id of the colleague who rejected the request. */
  rejected_by_id: number;
  /** Reason for the rejection. */
  rejection_reason: string;
  /** Time at which the request was rejected. */
  rejected_at: string;
}
/** A caller obtained an access token to act for a viewer. */
export interface AuthServerAccessTokenIssuedV1 {
  /** Person who acts for the viewer. */
  delegate: string;
  /** The kind of user that the token is for. */
  viewer: string;
  /** The user that the token is for. */
  viewer_id: number;
}
/** A second-factor challenge could not be made for a person's device. */
export interface AuthServerAccountUserGenerateMfaChallengeErrorV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
  /** Kind of the required second factor. */
  device: string;
}
/** A person logged in. */
export interface AuthServerAccountUserLoggedInV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
  /** Method of signing in. */
  login_method: string;
  /** Kind of the second factor, if the user gave one. */
  mfa_device_type: string;
}
/** A login was blocked by security rules, whatever the password. */
export interface AuthServerAccountUserLoginDeniedV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
  /** The security rules that blocked the login. */
  enforced_security_rule_ids: number[];
}
/** A login attempt failed at one of its steps. */
export interface AuthServerAccountUserLoginFailedV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
  /** Step of the login. */
  step: string;
  /** Reason for the failure. */
  failure_reason: string;
  /** Brand at which the user signed in. */
  brand: string;
  /** Brands of the user. */
  user_brands: string[];
}
/** One step of a login, such as the password or the second factor, succeeded. */
export interface AuthServerAccountUserLoginStepCompletedV1 {
  /** Id of the user of the account. */
  account_user_id: number;
  /** Number of the user of the account. */
  account_user_number: string;
  /** Step of the login. */
  step: string;
  /** Kind of the second factor, if the user gave one. */
  mfa_device_type: string;
}
/** A bill or other document was stopped before it went out, so that somebody can look at it. */
export interface BillingBillingDocumentHeldV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Kind of the document. */
  document_type: string;
  /** Id of the document. */
  document_id: number;
  /** Identifier of the document. */
  document_identifier: string;
  /** UUID of the document. */
  document_uuid: string;
  /** Reason for holding the document. */
  hold_code: string;
  /** Whether the hold cannot be lifted automatically. */
  is_strict: boolean;
  /** Time at which the document was held. */
  held_at: string;
  /** Id of the colleague who held the document. */
  held_by_id: number;
}
/** A bill or other document became final. */
export interface BillingBillingDocumentIssuedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the billing document. */
  billing_document_id: number;
  /** Identifier of the billing document. */
  billing_document_identifier: string;
}
/** A bill or other document became final; carries its UUID as well. */
export interface BillingBillingDocumentIssuedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the billing document. */
  billing_document_id: number;
  /** Identifier of the billing document. */
  billing_document_identifier: string;
  /** UUID of the billing document. */
  billing_document_uuid: string;
}
/** A rendering of a bill, such as a PDF, was sent to the customer. */
export interface BillingBillingDocumentRepresentationDispatchedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the billing document. */
  billing_document_id: number;
  /** Identifier of the billing document. */
  billing_document_identifier: string;
}
/** A rendering of a bill was sent to the customer; tells which renderings and which dispatch. */
export interface BillingBillingDocumentRepresentationDispatchedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the billing document. */
  billing_document_id: number;
  /** Identifier of the billing document. */
  billing_document_identifier: string;
  /** The dispatch: one sending of the renderings. */
  billing_document_representation_dispatch_id: number;
  /** The renderings that were sent. */
  billing_document_representations_id: number[];
}
/** A rendering of a bill was sent to the customer; tells the colleague who sent it too. */
export interface BillingBillingDocumentRepresentationDispatchedV3 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the billing document. */
  billing_document_id: number;
  /** Identifier of the billing document. */
  billing_document_identifier: string;
  /** The dispatch: one sending of the renderings. */
  billing_document_representation_dispatch_id: number;
  /** The renderings that were sent. */
  billing_document_representations_id: number[];
  /** The colleague who did this. */
  support_user_id: number;
}
/** An account's billing settings, such as how often and when it is billed, were replaced. */
export interface BillingBillingOptionsUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the replaced billing options. */
  previous_billing_options_id: number;
  /** Id of the billing options that now apply. */
  new_billing_options_id: number;
  /** The colleague who did this. */
  support_user_id: number;
}
/** The ledger that an agreement's charges are booked to was chosen. */
export interface BillingChargingLedgerAssignedToAgreementV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Id of the agreement. */
  agreement_id: number;
  /** Time at which the request was assigned. */
  assigned_at: string;
}
/** Charging a supply point for a period was set going. */
export interface BillingChargingSupplyPointTriggeredV1 {
  /** An integer here; a string in other events. */
  supply_point_id: number;
  charge_period: ChargePeriod;
}
/** The period that a charge covers. */
export interface ChargePeriod {
  /** Start of the period. */
  start_at: string;
  /** End of the period, exclusive. */
  end_at: string;
}
/** A network operator's invoice for distribution charges (DUoS) was cancelled. */
export interface BillingDuosInvoiceCancelV1 {
  /** Id of the invoice event. */
  invoice_event_id: number;
}
/** A network operator's invoice for distribution charges (DUoS) arrived. */
export interface BillingDuosInvoiceNewV1 {
  /** Id of the invoice event. */
  invoice_event_id: number;
}
/** A network operator's invoice for distribution charges (DUoS) was replaced by a corrected one. */
export interface BillingDuosInvoiceReplaceV1 {
  /** Id of the invoice event. */
  invoice_event_id: number;
}
/** The last bill of an account that has left was issued. */
export interface BillingFinalBillV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** E-mail addresses of the users of the account. */
  account_user_emails: string[];
  /** Id of the statement. */
  statement_id: number;
}
/** An outside service reported how the issuing of a document is getting on. */
export interface BillingIssuanceExternalStatusCreatedV1 {
  /** Identifier of the billing document. */
  billing_document_identifier: string;
  /** Status after the event. */
  status: string;
  /** Code of the status. */
  status_code: string;
  /** Id of the status in the external service. */
  external_status_id: number;
}
/** A bill was issued to an account. */
export interface BillingIssuedBillV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the statement. */
  statement_id: number;
}
/** Something was booked on a ledger; tells the ledger only. */
export interface BillingLedgerEntryPostedV1 {
  ledger: Ledger;
}
/** A ledger of an account, on which money owed and paid is booked. */
export interface Ledger {
  account: BillingAccount;
  /** Number of the ledger. */
  number: string;
  /** Id of the ledger. */
  id?: string;
}
/** The account that a ledger belongs to. */
export interface BillingAccount {
  /** Number of the account. */
  number: string;
}
/** A charge, credit, payment or repayment was booked on a ledger. */
export interface BillingLedgerEntryPostedV2 {
  ledger: Ledger;
  entry: LedgerEntry;
}
/** One booking on a ledger: a charge, credit, payment or repayment. */
export interface LedgerEntry {
  /** Id of the ledger entry. */
  id: number;
  /** Whether the entry is a charge. */
  is_charge: boolean;
  /** Whether the entry is a credit. */
  is_credit: boolean;
  /** Whether the entry is a payment. */
  is_payment: boolean;
  /** Whether the entry is a repayment. */
  is_repayment: boolean;
  /** Whether this entry undoes another. */
  is_reversal: boolean;
  /** Whether another entry undid this one. */
  is_reversed: boolean;
  /** Id of the source of the entry. */
  source_id?: number;
  /** Kind of the source of the entry. */
  source_type?: string;
}
/** Something was removed from a ledger; tells the ledger only. */
export interface BillingLedgerEntryRemovedV1 {
  ledger: Ledger;
}
/** A charge, credit, payment or repayment was removed from a ledger, with the reason. */
export interface BillingLedgerEntryRemovedV2 {
  ledger: Ledger;
  entry: LedgerEntryRemoval;
}
/** A booking that was removed from a ledger, and why. */
export interface LedgerEntryRemoval {
  /** Id of the removed ledger entry. */
  id: number;
  /** Amount of money. */
  amount: number;
  /** Whether the entry is a charge. */
  is_charge: boolean;
  /** Whether the entry is a credit. */
  is_credit: boolean;
  /** Whether the entry is a payment. */
  is_payment: boolean;
  /** Whether the entry is a repayment. */
  is_repayment: boolean;
  /** Whether this entry undoes another. */
  is_reversal: boolean;
  /** Whether another entry undid this one. */
  is_reversed: boolean;
  /** Reason for the removal. */
  source_reason: string;
}
/** A run through an account's billing steps stopped at an action that failed. */
export interface BillingPathwayTraversalFailedV1 {
  /** The billing steps of the account. */
  pathway_id: string;
  /** This run through them. */
  traversal_attempt_id: number;
  /** Input of the run. Its contents are not specified. */
  traversal_attempt_context: Record<string, unknown>;
  /** An integer here; a string in collection_process.comm_step_resolved. */
  trigger_id: number;
  /** The action at which the run stopped. */
  failed_action_name: string;
  /** The error of the action that failed. */
  failed_action_error: string;
  /** Time at which it failed. */
  failed_at: string;
}
/** A run through an account's billing steps reached its end. */
export interface BillingPathwayTraversalSucceededV1 {
  /** The billing steps of the account. */
  pathway_id: string;
  /** This run through them. */
  traversal_attempt_id: number;
  /** An integer here; a string in collection_process.comm_step_resolved. */
  trigger_id: number;
  /** Time at which it succeeded. */
  succeeded_at: string;
}
/** The invoice summaries of a portfolio of accounts were written to storage. */
export interface BillingPortfolioInvoiceSummaryCompletedV1 {
  /** Identifier of the invoice run. */
  run_identifier: string;
  /** Storage bucket of the file. */
  s3_bucket: string;
  /** Prefix of the storage keys of the summaries. */
  s3_key_prefix: string;
  /** Number of summaries. */
  summary_count: number;
}
/** A customer was granted a rebate for a period. */
export interface BillingRebateAcceptedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the rebate period. */
  rebate_period_id: number;
  /** Kind of the rebate. */
  rebate_type: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** End of the time in which it applies, exclusive. */
  effective_to: string;
}
/** A period of rebate was recorded for a customer, with whether their application is accepted. */
export interface BillingRebateCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the rebate period. */
  rebate_period_id: number;
  /** Kind of the rebate. */
  rebate_type: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** End of the time in which it applies, exclusive. */
  effective_to: string;
  /** Whether the application is accepted. */
  is_application_accepted: boolean;
}
/** A customer was refused a rebate, with the reason. */
export interface BillingRebateDeclinedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the rebate period. */
  rebate_period_id: number;
  /** Kind of the rebate. */
  rebate_type: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** End of the time in which it applies, exclusive. */
  effective_to: string;
  /** Reason for declining the rebate. */
  decline_reason: string;
}
/** A customer's period of rebate changed, or the decision on their application did. */
export interface BillingRebateUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the rebate period. */
  rebate_period_id: number;
  /** Kind of the rebate. */
  rebate_type: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** End of the time in which it applies, exclusive. */
  effective_to: string;
  /** Whether the application is accepted. */
  is_application_accepted: boolean;
}
/** A business customer was registered. */
export interface BusinessCreatedV1 {
  /** Id of the business. */
  id: number;
}
/** Details of a business customer changed; the payload lists what changed. */
export interface BusinessUpdatedV1 {
  /** Id of the business. */
  id: number;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** A business customer was given to another operations team. */
export interface BusinessOperationsTeamUpdatedV1 {
  /** Id of the operations team. */
  id: number;
  /** Id of the operations team. */
  operations_team_id: number;
}
/** An account joined a marketing campaign. */
export interface CampaignAccountAddedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Name of the campaign. */
  campaign_name: string;
  /** Short name of the campaign. */
  campaign_slug?: string;
  /** Time at which the campaign ends. */
  campaign_expiry_date?: string;
  /** Time at which the account leaves the campaign. */
  campaign_account_expiry_date?: string;
}
/** An account left a marketing campaign. */
export interface CampaignAccountRemovedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Name of the campaign. */
  campaign_name: string;
  /** Short name of the campaign. */
  campaign_slug?: string;
}
/** An account's part in a marketing campaign changed, for example its expiry. */
export interface CampaignAccountUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Name of the campaign. */
  campaign_name: string;
  /** Short name of the campaign. */
  campaign_slug?: string;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** A supply point could not be made ready for charging; the period stays unbilled until it is put right. */
export interface ChargingPrimingErroredV1 {
  /** Descriptions of the errors. */
  errors: string[];
  /** A string here; an integer in billing.charging.supply-point.triggered. */
  supply_point_id: string;
  /** First day of the charging period. */
  period_start: string;
  /** Day after the period. */
  period_end: string;
}
/** The security that a contract asked for was provided in full. */
export interface CollateralAgreementFulfilledV1 {
  /** Id of the collateral agreement. */
  collateral_agreement_id: number;
  /** Id of the contract. */
  contract_id: string;
  /** Time at which it was fulfilled. */
  fulfilled_at: string;
}
/** A debt was handed to a collection agency. */
export interface CollectionProceedingCreatedV1 {
  /** Id of the collection proceeding. */
  id: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Amount of money. */
  amount?: number;
  /** Name of the campaign. */
  campaign?: string;
  /** Whether the agency acts in the supplier's name. */
  is_white_label: boolean;
  /** Code of the debt collection agency. */
  agency_code: string;
}
/** A message of a collection process was sent, or settled otherwise, channel by channel. */
export interface CollectionProcessCommStepResolvedV1 {
  /** Number of the collection process. */
  collection_process_number: string;
  /** Identifier of the step. */
  step_identifier: string;
  /** A string here; an integer in the pathway events. */
  trigger_id?: string;
  /** Status after the event. */
  status: string;
  /** Reason for the result of the step. */
  reason: string;
  /** The channels by which the message went out. */
  dispatched_channels: string[];
  /** The channels by which it could not go out. */
  failed_channels: string[];
  /** Time at which it happened. */
  timestamp: string;
}
/** A collection process led to the customer's supply being ended. */
export interface CollectionProcessLeaveSupplierInstigatedV1 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
}
/** A collection process was put on hold, for reasons such as a payment promise. */
export interface CollectionProcessPausedV1 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Origin of the pause. */
  source: string;
  /** Reasons for the pauses that are active. */
  active_pause_reasons: string[];
}
/** A collection process was opened for money that an account owes. */
export interface CollectionProcessRaisedV1 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** A string here; a shape in the ledger events. */
  ledger?: string;
  /** Identifier of the billing document. */
  billing_document?: string;
  /** The set of steps that the collection process follows. */
  config_code: string;
}
/** A collection process that had been withdrawn runs again. */
export interface CollectionProcessReactivatedV1 {
  /** Number of the collection process. */
  number: string;
}
/** The run of a collection process was asked to stop. */
export interface CollectionProcessRunTerminationRequestedV1 {
  /** Number of the collection process. */
  number: string;
}
/** A collection process that was on hold goes on. */
export interface CollectionProcessUnpausedV1 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Origin of the pause. */
  source: string;
}
/** A collection process was called off, for example because the debt is paid; carries the outside reference. */
export interface CollectionProcessWithdrawnV1 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Reference in another system. */
  external_reference: string;
}
/** A collection process was called off, for example because the debt is paid. */
export interface CollectionProcessWithdrawnV2 {
  /** Number of the collection process. */
  number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** The record of a phone call with a customer changed. The payload lists the changes. */
export interface CommsAccountCallUpdatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the call. */
  call_id: number;
  /** Storage key of the recording. */
  call_key: string;
  /** Storage key of the transcript. */
  transcript_key: string;
  /** Storage key of the transcript without personal data. */
  redacted_transcript_key: string;
  /** The storage bucket that holds the files of the call. */
  bucket: string;
  /** The changes. Their contents are not specified. */
  changes: Record<string, unknown>;
}
/** An e-mail to a customer came back undelivered. */
export interface CommsCustomerEmailBouncedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the user. */
  user_id: number;
  /** Id of the message. */
  message_id: number;
  /** The template of the e-mail that bounced. */
  template_code: string;
  /** Time at which the message bounced. */
  bounced_at: string;
}
/** A push notification could not be delivered, because the app's token is no longer valid. */
export interface CommsPushNotificationReceivedUnregisteredOrExpiredTokenV1 {
  /** Id of the registration for push notifications. */
  push_notification_binding_id: number;
}
/** A phone call was transcribed, with a redacted copy beside the full one. */
export interface CommsTranscriptionCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the call. */
  call_id: number;
  /** Storage key of the recording. */
  call_key: string;
  /** Storage key of the transcript. */
  transcript_key: string;
  /** Storage key of the transcript without personal data. */
  redacted_transcript_key: string;
  /** The storage bucket that holds the files of the call. */
  bucket: string;
}
/** The cost behind a business quote was worked out, or could not be. */
export interface ComplexQuotingCostCalculationFinishedV1 {
  /** Number of the quote configuration. */
  quote_configuration_number: string;
  /** Whether it succeeded. */
  succeeded: boolean;
  /** Id of the colleague who started it. */
  triggered_by_id: number;
}
/** A customer gave or refused a consent for the first time. */
export interface ConsentsConsentCreatedV1 {
  signing_identity: SigningIdentity;
  consent: Consent;
}
/** Person who gave a consent. */
export interface SigningIdentity {
  /** Kind of the identity. */
  identity_type: string;
  /** The identity, for example an e-mail address. */
  identity: string;
}
/** A customer's decision on one kind of consent, and its time. */
export interface Consent {
  /** Id of the consent. */
  id: number;
  /** Code of the kind of consent. */
  consent_type_code: string;
  /** The consent that was given. */
  value: string;
  /** Time at which it was signed. */
  signed_at: string;
}
/** A customer changed a consent given or refused before. */
export interface ConsentsConsentUpdatedV1 {
  signing_identity: SigningIdentity;
  consent: Consent;
}
/** A group of contracts, such as all sites of one business, was formed. */
export interface ContractGroupsCreatedV1 {
  /** Identifier of the contract group. */
  contract_group_identifier: string;
  /** Kind of the group. */
  group_type: string;
  /** Start of the validity. */
  valid_from: string;
  /** End of the validity, exclusive. Empty if it has no end. */
  valid_to?: string;
  /** Manager of the group. */
  managing_party_identifier?: string;
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier?: string;
  /** Name of the contract group. */
  name?: string;
  /** Memberships of the group after the event. */
  memberships: NewMembership[];
  /** Members of the group. */
  traits: Trait[];
}
/** A contract's place in a group that is being formed; its end may be open. */
export interface NewMembership {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Start of the validity. */
  valid_from: string;
  /** End of the validity, exclusive. Empty if it has no end. */
  valid_to?: string;
}
/** A named property of a contract group. */
export interface Trait {
  /** Identifier of the trait. */
  identifier: string;
  /** Kind of the trait. */
  type: string;
  /** Its contents are not specified. */
  data: Record<string, unknown>;
}
/** Contracts joined or left a group. */
export interface ContractGroupsMembershipsChangedV1 {
  /** Identifier of the contract group. */
  contract_group_identifier: string;
  /** The contracts that joined. */
  memberships_started: Membership[];
  /** The contracts that left. */
  memberships_ended: Membership[];
}
/** A contract's place in a group, with start and end. */
export interface Membership {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Start of the validity. */
  valid_from: string;
  /** End of the validity, exclusive. Empty if it has no end. */
  valid_to: string;
}
/** The traits of a contract group were restated for a period; versions that overlapped are superseded. */
export interface ContractGroupsVersionCreatedV1 {
  /** Identifier of the contract group. */
  contract_group_identifier: string;
  effective_period: Period;
  /** The versions that no longer hold. */
  superseded_versions: Version[];
  /** The versions that hold from now on. */
  created_versions: Version[];
}
/** A span of time. */
export interface Period {
  /** Start of the period. */
  start: string;
  /** End of the period, exclusive. Empty if it has no end. */
  end: string;
}
/** The traits of a contract group over a period, and since when the platform has held them to be so. */
export interface Version {
  /** Identifier of the version. */
  identifier: string;
  effective_period: Period;
  system_period: Period;
  /** Members of the group. */
  traits: Trait[];
}
/** A version of a contract took effect for its subjects. */
export interface ContractsActualizedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** The version of the contract. */
  version_reference: number;
  /** Time at which it happened. */
  occurred_at: string;
  /** The subjects of the contract for which it took effect. */
  for_subjects: string[];
}
/** A contract was drawn up, from a sale where one is recorded. */
export interface ContractsCreatedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** The sale that led to the contract. */
  sales_record_identifier?: string;
}
/** A contract reached its end date. */
export interface ContractsExpiredV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** End of the validity, exclusive. Empty if it has no end. */
  valid_to: string;
}
/** A contract will reach its end date in the given number of days. */
export interface ContractsExpiryApproachingV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** Number of days until the contract ends. */
  days_before_expiry: number;
}
/** The work of bringing a contract into effect began, one journey for each subject. */
export interface ContractsJourneysCreationStartedV1 {
  contract_journey: ContractJourney;
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** Contract journeys of the subjects. */
  subject_contract_journeys: SubjectContractJourney[];
}
/** The work of creating, changing or ending a contract. */
export interface ContractJourney {
  /** Number of the contract journey. */
  number: string;
  /** Kind of the contract journey. */
  type: string;
  /** Time at which it was requested. */
  requested_at: string;
}
/** The part of a contract journey that concerns one subject. */
export interface SubjectContractJourney {
  /** Number of the contract journey. */
  number: string;
  /** Number of the subject. */
  subject_number: string;
}
/** The work of ending a contract began, one journey for each subject. */
export interface ContractsJourneysTerminationStartedV1 {
  contract_journey: ContractJourney;
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** Contract journeys of the subjects. */
  subject_contract_journeys: SubjectContractJourney[];
}
/** The work of changing a contract's terms began. */
export interface ContractsJourneysVariationStartedV1 {
  contract_journey: ContractJourney;
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A contract was taken over by a new one, usually with another party. */
export interface ContractsNovatedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Identifier of the new contract. */
  new_contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A contract was set aside as if it had never been made. */
export interface ContractsRescindedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A contract was withdrawn before it took effect. */
export interface ContractsRevokedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** Accounts or supply points were added to a contract, changed in it, or removed from it. */
export interface ContractsSubjectAmendedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
  /** Subjects that were added. */
  added: AmendedSubject[];
  /** Subjects that were changed. */
  updated: AmendedSubject[];
  /** Subjects that were removed. */
  removed: AmendedSubject[];
}
/** A subject of a contract, such as an account or a supply point, and the period for which the amendment holds. */
export interface AmendedSubject {
  /** Kind of the subject. */
  type: string;
  /** Identifier of the subject. */
  identifier: string;
  /** First day or moment from which it applies. */
  effective_from: string;
  /** End of the time in which it applies, exclusive. */
  effective_to: string;
}
/** A contract was ended before its end date. */
export interface ContractsTerminatedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** The terms of a contract changed while it runs. */
export interface ContractsTermsVariedV1 {
  /** Identifier of the contract. */
  contract_identifier: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A credit check on a customer was made. */
export interface CreditCheckCreatedV1 {
  /** Id of the credit check. */
  check_id: string;
  /** The kind of thing that was checked, such as an account or a business. */
  entity_type: string;
  /** Subject of the check. */
  entity_id: string;
}
/** A role for partner organisations was defined. */
export interface CustomerAccessPartnerRolesCreatedV1 {
  /** Code of the role. */
  code: string;
  /** Permissions of the role. */
  permissions: string[];
}
/** A role for partner organisations changed its name, description or permissions. */
export interface CustomerAccessPartnerRolesUpdatedV1 {
  /** Code of the role. */
  code: string;
  /** Name to display. */
  display_name?: string;
  /** Description of the role. */
  description?: string;
  /** Permissions of the role. */
  permissions?: string[];
}
/** A role for people who work at partners was defined. */
export interface CustomerAccessPartnerUserRolesCreatedV1 {
  /** Code of the role. */
  code: string;
  /** Permissions of the role. */
  permissions: string[];
}
/** A role for people who work at partners changed its name, description or permissions. */
export interface CustomerAccessPartnerUserRolesUpdatedV1 {
  /** Code of the role. */
  code: string;
  /** Name to display. */
  display_name?: string;
  /** Description of the role. */
  description?: string;
  /** Permissions of the role. */
  permissions?: string[];
}
/** A role for customers' logins was defined. */
export interface CustomerAccessUserRolesCreatedV1 {
  /** Code of the role. */
  code: string;
  /** Permissions of the role. */
  permissions: string[];
  /** Name of the role. */
  name: string;
}
/** A role for customers' logins changed its name, description or permissions. */
export interface CustomerAccessUserRolesUpdatedV1 {
  /** Code of the role. */
  code: string;
  /** Name to display. */
  display_name?: string;
  /** Description of the role. */
  description?: string;
  /** Permissions of the role. */
  permissions?: string[];
}
/** An import was cancelled; it can be sent again until the window closes. */
export interface DataImportImportProcessCancelledV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** The import, by the identifier of the system it came from. */
  external_identifier: string;
  /** Until when it can be sent again. */
  expiry_window_end: string;
}
/** An import succeeded, and what it created has an identifier here. */
export interface DataImportImportProcessCompleteV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** The import, by the identifier of the system it came from. */
  external_identifier: string;
  /** Identifier of the entity that the import created. */
  identifier: string;
}
/** A trial import would have succeeded; nothing was written. */
export interface DataImportImportProcessDryRunCompleteV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** The import, by the identifier of the system it came from. */
  external_identifier: string;
}
/** A trial import would have failed, with the error. */
export interface DataImportImportProcessDryRunErrorV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** The import, by the identifier of the system it came from. */
  external_identifier: string;
  /** Code of the error. */
  error_code: string;
  /** Description of the error. */
  error_detail: string;
}
/** An import failed, with the error. */
export interface DataImportImportProcessErrorV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** The import, by the identifier of the system it came from. */
  external_identifier: string;
  /** Code of the error. */
  error_code: string;
  /** Description of the error. */
  error_detail: string;
}
/** Something that belongs to an import, such as a note or a transaction, was added after it. */
export interface DataImportImportProcessPostImportCompletedV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** Entity that the import created. */
  import_process_resource_type: string;
  /** The import that this belongs to, by the identifier of the system it came from. */
  import_process_external_identifier: string;
  /** Identifier of the import. */
  identifier: string;
}
/** Something that belongs to an import could not be added after it, with the error. */
export interface DataImportImportProcessPostImportErrorV1 {
  /** Kind of the imported entity, such as an account. */
  resource_type: string;
  /** Entity that the import created. */
  import_process_resource_type: string;
  /** The import that this belongs to, by the identifier of the system it came from. */
  import_process_external_identifier: string;
  /** Code of the error. */
  error_code: string;
  /** Description of the error. */
  error_detail: string;
}
/** An order placed by an outside system was cancelled. */
export interface DataImportOrderProcessCancelledV1 {
  /** The order, by its id in the outside system. */
  external_order_id: string;
  /** Until when it can be sent again. */
  expiry_window_end: string;
}
/** An order placed by an outside system was accepted, and the process that serves it runs. */
export interface DataImportOrderProcessCompleteV1 {
  /** The order, by its id in the outside system. */
  external_order_id: string;
  /** Id of the process. */
  process_id: string;
}
/** An order placed by an outside system failed, with the error. */
export interface DataImportOrderProcessErrorV1 {
  /** The order, by its id in the outside system. */
  external_order_id: string;
  /** Code of the error. */
  error_code: string;
  /** Description of the error. */
  error_detail: string;
}
/** Debt that had been written off was put back on the account automatically. */
export interface DebtActioningAutomatedDebtWriteBackCompletedV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Amount of money. */
  amount: number;
}
/** Putting written-off debt back on the account failed with an error. */
export interface DebtActioningAutomatedDebtWriteBackFailedV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Reason for the result. */
  reason: string;
  /** Name of the exception. */
  exception: string;
}
/** Written-off debt was left written off, because a rule ruled out putting it back. */
export interface DebtActioningAutomatedDebtWriteBackSkippedV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Reason for the result. */
  reason: string;
}
/** A payment or credit was set against an overdue debt. */
export interface DelinquentDebtAllocationCreatedV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The allocation of a payment or credit to the debt. */
  allocation_identifier: string;
  /** Amount of money. */
  amount: number;
  /** Reason for the allocation. */
  reason: string;
  /** Time at which it was created. */
  created_at: string;
  fulfilment: AllocationComponent;
  /** Components of the debt. Their contents are not specified. */
  obligation: Record<string, unknown>;
  /** The payment. Its contents are not specified. */
  payout: Record<string, unknown>;
}
/** The booking that one side of an allocation comes from. */
export interface AllocationComponent {
  /** Kind of the source of the entry. */
  source_type: string;
  /** The booking that this comes from. */
  source_identifier: string;
}
/** The overdue debt on a ledger rose or fell. */
export interface DelinquentDebtPositionChangedV1 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Day of the change. */
  changed_on: string;
  /** Delinquent debt before the change. */
  previous_value: number;
  /** Delinquent debt after the change. */
  new_value: number;
}
/** The overdue debt on a ledger rose or fell; names the account as well. */
export interface DelinquentDebtPositionChangedV2 {
  /** Number of the ledger. */
  ledger_number: string;
  /** Day of the change. */
  changed_on: string;
  /** Delinquent debt before the change. */
  previous_value: number;
  /** Delinquent debt after the change. */
  new_value: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** A customer agreed to pay a security deposit. */
export interface DepositAgreementAcceptedV1 {
  /** The deposit agreement. */
  deposit_key: string;
  /** Reason for the change. */
  reason: string;
  /** Amount of money. */
  amount: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Identifier of the ledger. */
  ledger_identifier: string;
  /** Time at which it was accepted. */
  accepted_at: string;
}
/** A customer paid their security deposit in full. */
export interface DepositAgreementFulfilledV1 {
  /** The deposit agreement. */
  deposit_key: string;
  /** Reason for the change. */
  reason: string;
  /** Amount of money. */
  amount: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Identifier of the ledger. */
  ledger_identifier: string;
  /** Time at which it was fulfilled. */
  fulfilled_at: string;
}
/** A part of a security deposit was paid back to the customer. */
export interface DepositAgreementInstalmentReturnedV1 {
  /** The deposit agreement. */
  deposit_key: string;
  /** Reason for the change. */
  reason: string;
  /** Amount of money. */
  amount: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Identifier of the ledger. */
  ledger_identifier: string;
  /** Amount that was returned. */
  returned_amount: number;
  /** Time at which it was returned. */
  returned_at: string;
}
/** A security deposit was paid back to the customer. */
export interface DepositAgreementReturnedV1 {
  /** The deposit agreement. */
  deposit_key: string;
  /** Reason for the change. */
  reason: string;
  /** Amount of money. */
  amount: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Identifier of the ledger. */
  ledger_identifier: string;
  /** Time at which it was returned. */
  returned_at: string;
}
/** A security deposit is no longer asked for. */
export interface DepositAgreementWithdrawnV1 {
  /** The deposit agreement. */
  deposit_key: string;
  /** Reason for the change. */
  reason: string;
  /** Amount of money. */
  amount: number;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Identifier of the ledger. */
  ledger_identifier: string;
  /** Time at which it was withdrawn. */
  withdrawn_at: string;
}
/** The reminders to an account were paused for a time. */
export interface DunningPathPausedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The sequence of reminders. */
  dunning_path_name: string;
  /** This account's run through the sequence. */
  dunning_process_id: string;
  /** First day of the pause. */
  pause_start_date: string;
  /** Last day of the pause. */
  pause_end_date: string;
  /** Note on the start or pause. */
  created_note: string;
}
/** An account with overdue money was put on a path of reminders. */
export interface DunningPathStartedV1 {
  /** The sequence of reminders. */
  dunning_path_name: string;
  /** This account's run through the sequence. */
  dunning_process_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Note on the start or pause. */
  created_note: string;
  /** First day. */
  start_date: string;
}
/** The reminders to an account go on. */
export interface DunningPathUnpausedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The sequence of reminders. */
  dunning_path_name: string;
  /** This account's run through the sequence. */
  dunning_process_id: string;
}
/** An account was taken off its path of reminders. */
export interface DunningPathWithdrawnV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The sequence of reminders. */
  dunning_path_name: string;
  /** This account's run through the sequence. */
  dunning_process_id: string;
  /** Day of the withdrawal. */
  withdrawn_date: string;
  /** Note on the withdrawal. */
  withdrawn_note: string;
}
/** A file that a customer uploaded was processed. */
export interface ExternalMessagingUploadedFileProcessedV1 {
  /** Reference to the file. */
  file_reference: string;
}
/** A file that a customer uploaded could not be processed. */
export interface ExternalMessagingUploadedFileProcessingFailedV1 {
  /** Reference to the file. */
  file_reference: string;
}
/** The virus scan found an uploaded file harmless. */
export interface ExternalMessagingUploadedFileSafeV1 {
  /** Reference to the file. */
  file_reference: string;
}
/** The virus scan found an uploaded file dangerous. */
export interface ExternalMessagingUploadedFileUnsafeV1 {
  /** Reference to the file. */
  file_reference: string;
}
/** The permission to steer a customer's device is no longer valid. */
export interface FlexDeviceDeauthenticatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the property. */
  property_id: number;
  /** Id of the device. */
  device_id: string;
  /** The place where the device is. */
  site_id: string;
  /** Kind of the device. */
  device_type: string;
  /** Its contents are not specified. */
  payload?: Record<string, unknown>;
}
/** A device was unplugged or could no longer be reached, with its state of charge. */
export interface FlexDeviceDisconnectedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the property. */
  property_id: number;
  /** Id of the device. */
  device_id: string;
  /** The place where the device is. */
  site_id: string;
  /** Kind of the device. */
  device_type: string;
  payload: DeviceDisconnected;
}
/** Reason for the disconnection of a device, and the state of its battery. */
export interface DeviceDisconnected {
  /** Reason for the disconnection. */
  cause: string;
  /** The state of charge (SoC) when the device disconnected. */
  disconnected_soc: number;
}
/** A plan was made for when a device charges or discharges. */
export interface FlexDeviceOptimisationCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the property. */
  property_id: number;
  /** Id of the device. */
  device_id: string;
  /** The place where the device is. */
  site_id: string;
  /** Kind of the device. */
  device_type: string;
  payload: OptimisationCreated;
}
/** A charging plan: when the device runs, what it will reach, and what limited it. */
export interface OptimisationCreated {
  /** The spans during which the device charges or discharges. */
  dispatches: Dispatch[];
  /** The state of charge (SoC) that the plan can reach. */
  achievable_target_soc: number;
  /** Capacity of the battery. */
  energy_capacity: number;
  /** The state of charge (SoC) at the start. */
  start_soc: number;
  /** The state of charge (SoC) that the customer asked for. */
  user_target_soc: number;
  /** Start of the span that was planned. */
  optimization_begin: string;
  /** End of the span that was planned. */
  optimization_end: string;
  /** Whether this replaces an earlier plan. */
  is_reoptimization: boolean;
  /** Whether the device only charges and never feeds back. */
  force_v1g_charging: boolean;
  /** The devices that are planned together. */
  fleet_id: string;
  /** Unit of the target. */
  target_type: string;
  /** The state of charge aimed at once the charging time is capped. */
  capped_target_soc: number;
  /** Whether the plan was shortened. */
  is_charge_duration_capped: boolean;
  /** Whether the plan may be shortened. */
  can_cap_charging_duration: boolean;
  /** Time at which the device is to be ready. */
  dispatch_times: string;
  /** Whether the plan reaches what the customer asked for. */
  will_reach_target_soc: boolean;
}
/** A span during which a device charges or discharges, and at what power. */
export interface Dispatch {
  /** Start of the dispatch. */
  begin: string;
  /** End of the dispatch. */
  end: string;
  /** Power that the device draws or gives. */
  power: number;
}
/** A customer's car, charger, battery or heat pump was connected for flexible use of energy. */
export interface FlexDeviceRegisteredV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Id of the property. */
  property_id: number;
  /** Id of the device. */
  device_id: string;
  /** The place where the device is. */
  site_id: string;
  /** Kind of the device. */
  device_type: string;
  /** Its contents are not specified. */
  payload?: Record<string, unknown>;
}
/** An account bought goods, such as a charger or a heat pump. */
export interface GoodsPurchaseCreatedV1 {
  /** Id of the purchase. */
  purchase_id: number;
  /** Id of the account. */
  account_id: number;
  /** The colleague who did this. */
  support_user_id?: number;
}
/** A quote for goods was made for an existing account. */
export interface GoodsQuoteCreatedForAccountV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Id of the quote. */
  quote_id: number;
  /** Request of the client. Its contents are not specified. */
  client_params: Record<string, unknown>;
  /** Id of the sales lead. */
  lead_id: number;
}
/** A quote for goods was made for somebody who has no account. */
export interface GoodsQuoteCreatedWithoutAccountV1 {
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Id of the quote. */
  quote_id: number;
  /** Whom the quote is for. Its contents are not specified. */
  contact_info: Record<string, unknown>;
  /** Request of the client. Its contents are not specified. */
  client_params: Record<string, unknown>;
  /** Id of the sales lead. */
  lead_id: number;
}
/** The industry reported, unasked, that an electricity meter point was switched on or off. */
export interface IndustryElectricityChangeOfEnergisationUnsolicitedMessageV1 {
  /** Meter Point Administration Number: the electricity meter point. */
  mpan: string;
  /** Whether the meter point is switched on or off. */
  energisation_status: string;
  /** First day or moment from which it applies. */
  effective_from: string;
}
/** An electricity meter was taken out of service at its meter point. */
export interface IndustryElectricityChangeOfServiceMeterDeactivatedV1 {
  /** Meter Point Administration Number: the electricity meter point. */
  mpan: string;
  /** Serial number of the meter. */
  serial_number: string;
  /** First day or moment from which it applies. */
  effective_from: string;
}
/** The switch of an electricity meter point to us was started with the industry. */
export interface IndustryElectricityChangeOfSupplyGainInitiatedV1 {
  /** MPAN or MPRN of the meter point. */
  meter_point_identifier: string;
}
/** An electricity meter point has gone to another supplier. */
export interface IndustryElectricityChangeOfSupplyLossCompleteV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Meter Point Administration Number: the electricity meter point. */
  mpan: string;
  /** Day on which supply ends. */
  supply_end_date: string;
  /** Market participant id of the new supplier. */
  new_supplier_id: string;
}
/** A customer's generating installation passed the checks needed to be paid for exported power. */
export interface IndustryElectricityExportInstallationValidatedV1 {
  /** The meter point by which power comes in (MPAN). */
  import_mpan: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Code of the product. */
  product_code: string;
  /** Declared capacity of the installation, as entered by hand. A string. */
  manual_declared_net_capacity: string;
  /** The technology of the installation, as entered by hand. */
  manual_technology_type: string;
  /** The installations with a valid certificate (MCS). Their contents are not specified. */
  valid_mcs_installations: Record<string, unknown>[];
  /** The application that the installation was validated for. */
  journey_identifier: string;
}
/** A customer's generating installation passed the checks needed to be paid for exported power; names the export meter point as well. */
export interface IndustryElectricityExportInstallationValidatedV2 {
  /** The meter point by which power comes in (MPAN). */
  import_mpan: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Code of the product. */
  product_code: string;
  /** Declared capacity of the installation, as entered by hand. A string. */
  manual_declared_net_capacity: string;
  /** The technology of the installation, as entered by hand. */
  manual_technology_type: string;
  /** The installations with a valid certificate (MCS). Their contents are not specified. */
  valid_mcs_installations: Record<string, unknown>[];
  /** The application that the installation was validated for. */
  journey_identifier: string;
  /** The meter point by which power leaves (MPAN). */
  export_mpan: string;
}
/** The switch of a gas meter point to us was started with the industry. */
export interface IndustryGasChangeOfSupplyGainInitiatedV1 {
  /** MPAN or MPRN of the meter point. */
  meter_point_identifier: string;
}
/** A gas meter point has gone to another supplier. */
export interface IndustryGasChangeOfSupplyLossCompleteV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Day on which supply ends. */
  supply_end_date: string;
  /** Market participant id of the new supplier. */
  new_supplier_id: string;
}
/** Automatic actions, such as tagging or assigning, were run on a message. */
export interface InkActionsRunV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** The message, by its id in the GraphQL API. */
  message_relay_id: string;
  /** Results of the actions. */
  actions_results: InkAction[];
}
/** One automatic action on a message, and how it went. */
export interface InkAction {
  /** Code of the action. */
  code: string;
  /** Whether it succeeded. */
  succeeded: boolean;
  /** Whether the actions after this one were skipped. */
  stop_further_evaluation: boolean;
}
/** A message from a customer was tagged by its content. */
export interface InkContentInboundMessageTaggedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessageContent;
}
/** A message with its content and tags. */
export interface InkMessageContent {
  /** Id of the message. */
  message_id: number;
  /** Time at which it happened. */
  occurred_at: string;
  /** Channel of the message, for example e-mail. */
  channel: string;
  content: InkContent;
}
/** The parts of a message by which it was tagged. */
export interface InkContent {
  /** Sender of the message. */
  from_address?: string;
  /** Subject of the message. */
  subject?: string;
  /** Recipients of the message. */
  to_addresses?: string[];
  /** Tags of the message. */
  tags: string[];
}
/** A conversation was put in a work queue. */
export interface InkConversationAssignedToBucketV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** The work queue, by its id in the GraphQL API. */
  bucket_relay_id: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Id of the organisation. */
  organisation_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
}
/** A conversation was filed on a timeline. */
export interface InkConversationAssignedToTimelineV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** The timeline, by its id in the GraphQL API. */
  timeline_relay_id: string;
  /** The colleague who did this. */
  support_user_id: number;
}
/** A conversation waits for the customer to answer. */
export interface InkConversationAwaitCustomerReplyV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
  /** Id of the organisation. */
  organisation_id: number;
}
/** A conversation was closed, with the reason. */
export interface InkConversationClosedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
  /** Id of the organisation. */
  organisation_id: number;
  /** Time at which the conversation was closed. */
  closed_at: string;
  /** Reason for closing the conversation. */
  reason: string;
}
/** An open conversation moved to another open status, such as answered by the customer. */
export interface InkConversationOpenStatusChangedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
  /** Id of the organisation. */
  organisation_id: number;
  /** Status after the event. */
  new_status: string;
  /** Status before the event. */
  previous_status: string;
}
/** A conversation with a customer was opened, or opened again. */
export interface InkConversationOpenedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
  /** Id of the organisation. */
  organisation_id: number;
}
/** A conversation became more or less urgent. */
export interface InkConversationPriorityChangedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Priority before the event. */
  old_priority: number;
  /** Priority after the event. */
  new_priority: number;
  /** Time at which the priority changed. */
  prioritized_at: string;
  /** Id of the message. */
  message_id: number;
  /** The message, by its id in the GraphQL API. */
  message_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Id of the organisation. */
  organisation_id: number;
}
/** A conversation was set aside until a given time. */
export interface InkConversationSnoozedV1 {
  /** Id of the conversation. */
  conversation_id: number;
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The person who was last in touch. */
  latest_contacted_account_user_number: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
  /** Id of the organisation. */
  organisation_id: number;
  /** Time at which the conversation returns to the queue. */
  snoozed_to: string;
  /** The note written on snoozing, by its id in the GraphQL API. */
  ink_note_relay_id: string;
}
/** A conversation was taken out of a work queue. */
export interface InkConversationUnassignedFromBucketV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** The work queue, by its id in the GraphQL API. */
  bucket_relay_id: string;
  /** The colleague who did this. */
  support_user_id: number;
  /** Id of the organisation. */
  organisation_id: number;
  /** Kind of the user who did this. */
  actor_type: string;
  /** Id of the person or system that did this. */
  actor_id: number;
}
/** A conversation was taken off a timeline. */
export interface InkConversationUnassignedFromTimelineV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** The timeline, by its id in the GraphQL API. */
  timeline_relay_id: string;
  /** The colleague who did this. */
  support_user_id: number;
}
/** A live chat ended. */
export interface InkLiveChatClosedV1 {
  /** The live chat, by its id in the GraphQL API. */
  live_chat_conversation_relay_id: string;
  /** Reason for closing the conversation. */
  close_reason: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number?: string;
}
/** A customer started a live chat. */
export interface InkLiveChatInitiatedV1 {
  live_chat_conversation: InkConversation;
}
/** A conversation with its account and the message at hand. */
export interface InkConversation {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message in a conversation, named here and at the provider that carried it. */
export interface InkMessage {
  /** The message, by its id in the GraphQL API. */
  relay_id: string;
  /** The message, by the id of the provider that carried it. */
  vendor_id: string;
  /** Channel of the message, for example e-mail. */
  channel: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A message was sent to the customer in a live chat. */
export interface InkLiveChatMessagesOutboundMessageCreatedV1 {
  live_chat_conversation: InkConversation;
}
/** The virus scan found a message's attachment harmless. */
export interface InkMessageAttachmentSafeV1 {
  /** Name of the file. */
  filename: string;
  /** Storage key of the file. */
  s3_key: string;
  /** Storage bucket of the file. */
  s3_bucket: string;
  /** Size of the file. */
  size_in_bytes: number;
}
/** The virus scan found a message's attachment dangerous. */
export interface InkMessageAttachmentUnsafeV1 {
  /** Name of the file. */
  filename: string;
  /** Storage key of the file. */
  s3_key: string;
  /** Storage bucket of the file. */
  s3_bucket: string;
  /** Size of the file. */
  size_in_bytes: number;
}
/** A stored e-mail from an older system was put forward for migration. */
export interface InkMessagesInboundEmailMigrationV1 {
  /** A string here; an integer in other events. */
  message_id: string;
  /** Storage key of the file. */
  s3_key: string;
  /** Storage bucket of the file. */
  s3_bucket: string;
}
/** A message from a customer was added to a conversation. */
export interface InkMessagesInboundMessageCreatedV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message from a customer was received from a provider, before it joined a conversation. */
export interface InkMessagesInboundMessageIngestedV1 {
  /** Channel of the message, for example e-mail. */
  channel: string;
  /** The provider that carried the message. */
  vendor: string;
  /** The message, by the id of the provider that carried it. */
  vendor_id: string;
  /** The message, by its id in the GraphQL API. */
  message_relay_id: string;
}
/** A message to a customer was added to a conversation. */
export interface InkMessagesOutboundMessageCreatedV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message to a customer could not be delivered, with the reason. */
export interface InkMessagesOutboundMessageFailedV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  message: InkMessageWithVendor;
  failure: InkFailure;
}
/** A message in a conversation, with the provider that carried it. */
export interface InkMessageWithVendor {
  /** The message, by its id in the GraphQL API. */
  relay_id: string;
  /** The provider that carried the message. */
  vendor: string;
  /** The message, by the id of the provider that carried it. */
  vendor_id: string;
  /** Channel of the message, for example e-mail. */
  channel: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** Reason for the failed delivery of a message. */
export interface InkFailure {
  /** Kind of the failure. */
  type: string;
  /** Reason for the failure. */
  reason: string;
  /** Time at which it happened. */
  occurred_at: string;
}
/** A message reported as phishing was found to be genuine. */
export interface InkMessagesPhishingReportDismissedV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message was reported as phishing. */
export interface InkMessagesReportedPhishingV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message was reported as spam. */
export interface InkMessagesReportedSpamV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A message reported as spam was found to be genuine. */
export interface InkMessagesSpamReportDismissedV1 {
  /** The conversation, by its id in the GraphQL API. */
  conversation_relay_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  message: InkMessage;
}
/** A legal entity of the supplier itself was set up, with its registrations and legal address. */
export interface InternalCompanyCreatedV1 {
  /** Id of the company. */
  id: string;
  /** Person or system that did this. Its contents are not specified. */
  actor: Record<string, unknown>;
  /** The number of the company that people are shown. */
  displayable_number: string;
  /** Name of the company. */
  name: string;
  /** First registration number of the business. */
  primary_registration_number: string;
  /** Second registration number of the business. */
  secondary_registration_number: string;
  /** Tax number of the business. */
  primary_tax_identifier_number: string;
  /** Its contents are not specified. */
  legal_address: Record<string, unknown>;
}
/** Charging an account's late payment fees ended, with the number charged and not charged. */
export interface LatePaymentFeeApplicationServiceCompletedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Number of fees that were charged. */
  fees_applied_count: number;
  /** Number of fees that were not charged. */
  fees_unapplied_count: number;
}
/** One late payment fee was charged to an account. */
export interface LatePaymentFeeApplicationServiceFeeAppliedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Amount of the fee. */
  fee_amount: number;
  /** Day of the fee. */
  fee_date: string;
  /** Kind of the fee. */
  fee_type?: string;
  /** The charge by which the fee was booked. */
  charge_id: string;
}
/** Charging the late payment fees worked out for an account began. */
export interface LatePaymentFeeApplicationServiceStartedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** Working out an account's late payment fees ended, with the number found. */
export interface LatePaymentFeeCalculationServiceCompletedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Number of fees that were due. */
  fees_calculated_count: number;
}
/** Working out the late payment fees of an account began. */
export interface LatePaymentFeeCalculationServiceStartedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** The late payment fee calculator finished an account, with the number of fees charged and not charged. */
export interface LatePaymentFeeCalculatorCompletedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Number of fees that were charged. */
  fees_applied_count: number;
  /** Number of fees that were not charged. */
  fees_unapplied_count: number;
}
/** The late payment fee calculator charged one fee to an account. */
export interface LatePaymentFeeCalculatorFeeAppliedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The charge by which the fee was booked. */
  charge_id: string;
}
/** The calculator that works out and charges late payment fees in one go began on an account. */
export interface LatePaymentFeeCalculatorStartedV1 {
  /** The run, over many accounts, that this is a part of. */
  run_id: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** A colleague let a customer off a late payment fee. */
export interface LatePaymentFeeWaivedV1 {
  /** Id of the fee. */
  fee_id: number;
  /** Time at which the fee was waived. */
  waived_at: string;
  /** The colleague who did this. */
  support_user_id: number;
}
/** A sales lead moved to another stage of its funnel. */
export interface LeadsLeadStageUpdatedV1 {
  /** Number of the sales lead. */
  lead_number: string;
  /** The sales funnel that the stage is in. */
  funnel_code: string;
  /** Stage after the event. */
  stage: string;
}
/** A document was attached to a sales opportunity. */
export interface LeadsOpportunityDocumentAttachedToOpportunityV1 {
  /** Number of the sales opportunity. */
  opportunity_number: string;
  /** Id of the attachment. */
  attachment_id: number;
  /** Category of the document. */
  category: string;
}
/** A set of offers was drawn up for a sales opportunity. */
export interface LeadsOpportunityOfferGroupCreatedV2 {
  /** Number of the sales opportunity. */
  opportunity_number: string;
  /** Identifier of the group of offers. */
  offer_group_identifier: string;
}
/** A sales opportunity moved to another stage of its funnel. */
export interface LeadsOpportunityStageUpdatedV1 {
  /** Number of the sales opportunity. */
  opportunity_number: string;
  /** The sales funnel that the stage is in. */
  funnel_code: string;
  /** Stage after the event. */
  stage: string;
  /** Id of the colleague who made the change. */
  updated_by_user_id?: number;
}
/** An account no longer qualifies for loyalty points, because supply points that it counted on are not coming. */
export interface LifecycleEnrollmentLoyaltyPointsQualificationReversedV1 {
  /** The joining. */
  join_supplier_process_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Those that will not be supplied after all. */
  supply_points_no_longer_coming_on_supply: EnrollmentSupplyPoint[];
  /** Every supply point of the enrolment. */
  all_supply_points: EnrollmentSupplyPoint[];
}
/** A supply point of an enrolment, with its confirmed start of supply. */
export interface EnrollmentSupplyPoint {
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The confirmed start of supply (SSD: supply start date). */
  confirmed_ssd: string;
  /** Whether the enrolment was cancelled. */
  was_cancelled: boolean;
}
/** Enough of an account's supply points have started for it to qualify for loyalty points. */
export interface LifecycleEnrollmentSupplyStatusQualifiesAccountForLoyaltyPointV2 {
  /** The joining, by its internal id. */
  join_supplier_process_id: number;
  /** The joining. */
  join_supplier_process_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Those whose supply start date (SSD) has passed. */
  supply_points_past_ssd: EnrollmentSupplyPoint[];
  /** Every supply point of the enrolment. */
  all_supply_points: EnrollmentSupplyPoint[];
}
/** One supply point is now supplied by us. */
export interface LifecycleJoinSupplierActivationCompletedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** Reason for joining, such as a change of supply or of tenancy. */
  activation_journey_type: string;
  supply_point: ActivatedSupplyPoint;
}
/** A supply point that has joined, with its confirmed start of supply. */
export interface ActivatedSupplyPoint {
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** First day of supply, as the market confirmed it. */
  confirmed_supply_start_date: string;
}
/** The steps that bring one supply point to us were started. */
export interface LifecycleJoinSupplierActivationInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** Reason for joining, such as a change of supply or of tenancy. */
  activation_journey_type: string;
  supply_point: ActivationInitiatedSupplyPoint;
}
/** A supply point that is about to join. */
export interface ActivationInitiatedSupplyPoint {
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
}
/** A joining put one supply point on its product agreements. */
export interface LifecycleJoinSupplierAgreementCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  supply_point: ActivatedSupplyPoint;
  /** Agreements in the supply period. */
  agreements: JoinAgreement[];
  contract_references: ContractReferences;
}
/** A product agreement made by a joining. */
export interface JoinAgreement {
  /** Id of the agreement. */
  id: number;
  /** Start of the validity. */
  valid_from: string;
  /** End of the validity, exclusive. Empty if it has no end. */
  valid_to: string;
  /** Code of the product. */
  product_code: string;
}
/** The contracts that stand behind an agreement or a supply period, if any. */
export interface ContractReferences {
  /** The contract of the account that stands behind this, if any. */
  account_contract_identifier?: string;
  /** The contract of the business that stands behind this, if any. */
  business_contract_identifier?: string;
}
/** A joining waits for the work that follows activation. */
export interface LifecycleJoinSupplierAwaitPostActivationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** A joining waits for the work that must be done before activation. */
export interface LifecycleJoinSupplierAwaitPreActivationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** A joining waits for the work that must be done before its supply points are looked up. */
export interface LifecycleJoinSupplierAwaitPreDiscoveryFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** Somebody asked to cancel a joining before supply starts. */
export interface LifecycleJoinSupplierCancellationRequestedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: JoinSupplyPoint[];
}
/** A supply point of a joining, with the start of supply that was asked for. */
export interface JoinSupplyPoint {
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Day on which supply should start. */
  requested_supply_start_date: string;
}
/** A joining was cancelled before supply started. */
export interface LifecycleJoinSupplierCancelledV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: JoinSupplyPoint[];
}
/** A joining ended well: we supply all of its supply points. */
export interface LifecycleJoinSupplierCompletedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: ActivatedSupplyPoint[];
}
/** A customer asked us to supply one or more of their supply points. */
export interface LifecycleJoinSupplierRequestedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: JoinSupplyPoint[];
  /** Time at which it was requested. */
  requested_at: string;
}
/** Somebody asked to undo a joining after supply started, for example after an erroneous transfer. */
export interface LifecycleJoinSupplierReversalRequestedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: JoinSupplyPoint[];
}
/** A joining was undone after supply had started. */
export interface LifecycleJoinSupplierReversedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
  /** The supply points concerned. */
  supply_points: JoinSupplyPoint[];
}
/** The period during which we supply one supply point was recorded. */
export interface LifecycleJoinSupplierSupplyPeriodCreatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  supply_point: ActivatedSupplyPoint;
  supply_period: SupplyPeriodData;
  contract_references: ContractReferences;
}
/** The period during which we supply a supply point. */
export interface SupplyPeriodData {
  /** Id of the supply period. */
  id: number;
  /** Start of supply. */
  supply_start_at: string;
  /** End of supply. */
  supply_end_at: string;
}
/** One supply point of a joining waits for the work that follows its activation. */
export interface LifecycleJoinSupplierSupplyPointJourneyAwaitPostActivationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  supply_point: ActivatedSupplyPoint;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** One supply point of a joining waits for the work that must be done before its activation. */
export interface LifecycleJoinSupplierSupplyPointJourneyAwaitPreActivationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The joining. */
  join_supplier_process_number: string;
  supply_point: JoinSupplyPoint;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** A joining knows how the customer will pay. */
export interface LifecycleJoinSupplierEnsurePaymentInstructionsStepCompletedV2 {
  /** The joining, by its internal id. */
  join_supplier_process_id: number;
  /** The joining. */
  join_supplier_process_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** A joining began to make sure that it knows how the customer will pay. */
export interface LifecycleJoinSupplierEnsurePaymentInstructionsStepInitiatedV2 {
  /** The joining, by its internal id. */
  join_supplier_process_id: number;
  /** The joining. */
  join_supplier_process_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** A joining asked the customer for a security deposit. */
export interface LifecycleJoinSupplierSecurityDepositsCreatedV1 {
  /** The joining. */
  join_supplier_process_number: string;
}
/** A joining customer accepted the terms and conditions. */
export interface LifecycleJoinSupplierTermsAndConditionsAcceptedV2 {
  /** The joining, by its internal id. */
  join_supplier_process_id: number;
  /** The joining. */
  join_supplier_process_number: string;
}
/** A leaving process waits for the work that follows deactivation. */
export interface LifecycleLeaveSupplierAwaitPostDeactivationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** A leaving process waits for the work that follows the end of supply. */
export interface LifecycleLeaveSupplierAwaitPostTerminationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** A leaving process waits for the work that must be done before supply ends. */
export interface LifecycleLeaveSupplierAwaitPreTerminationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** Somebody asked to cancel a leaving before supply ends. */
export interface LifecycleLeaveSupplierCancellationRequestedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
}
/** A supply point of a leaving. */
export interface LeaveSupplyPoint {
  /** The supply point, by its id in the market. */
  market_identifier: string;
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
}
/** A leaving process was cancelled, and the customer stays. */
export interface LifecycleLeaveSupplierCancelledV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
}
/** A leaving process ended: we no longer supply any of its supply points. */
export interface LifecycleLeaveSupplierCompletedV3 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  /** The supply points concerned. */
  supply_points: TerminatedSupplyPoint[];
}
/** A supply point that has left, with its confirmed end of supply. */
export interface TerminatedSupplyPoint {
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Day on which supply ends, as the market confirmed it. */
  confirmed_supply_end_date: string;
}
/** Supply points are to leave us, because the customer moves out or another supplier takes over. */
export interface LifecycleLeaveSupplierRequestedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
  /** Moment at which supply should end. */
  requested_supply_end_at: string;
  /** Day on which supply should end. */
  requested_supply_end_date: string;
  /** Time at which it was requested. */
  requested_at: string;
  /** Whether another supplier takes over, rather than the customer asking to leave. */
  is_passive: boolean;
  /** The supply point by whose loss the leaving began. */
  passive_loss_instigated_supply_point_id?: number;
}
/** Supply points are to leave us, because the customer moves out or another supplier takes over; carries the process number as well. */
export interface LifecycleLeaveSupplierRequestedV3 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
  /** Moment at which supply should end. */
  requested_supply_end_at: string;
  /** Day on which supply should end. */
  requested_supply_end_date: string;
  /** Time at which it was requested. */
  requested_at: string;
  /** Whether another supplier takes over, rather than the customer asking to leave. */
  is_passive: boolean;
  /** The supply point by whose loss the leaving began. */
  passive_loss_instigated_supply_point_id?: number;
  /** The leaving. */
  leave_supplier_process_number: string;
}
/** Somebody asked to bring a customer back after supply ended, for example after an erroneous transfer. */
export interface LifecycleLeaveSupplierReversalRequestedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
}
/** One supply point of a leaving waits for the work that follows its end of supply. */
export interface LifecycleLeaveSupplierSupplyPointJourneyAwaitPostTerminationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  supply_point: TerminatedSupplyPoint;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** One supply point of a leaving waits for the work that must be done before its agreement ends. */
export interface LifecycleLeaveSupplierSupplyPointJourneyAwaitPreAgreementTerminationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  supply_point: LeaveSupplyPoint;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** One supply point of a leaving waits for the work that must be done before its supply ends. */
export interface LifecycleLeaveSupplierSupplyPointJourneyAwaitPreTerminationFlowStepInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  supply_point: LeaveSupplyPoint;
  /** Reason for joining or leaving, such as a move. */
  subtype: string;
}
/** The day on which one supply point left us is confirmed. */
export interface LifecycleLeaveSupplierTerminationConfirmedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  supply_point: TerminatedSupplyPoint;
}
/** Ending the supply of one supply point was started. */
export interface LifecycleLeaveSupplierTerminationInitiatedV1 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving. */
  leave_supplier_process_number: string;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  supply_point: TerminationInitiatedSupplyPoint;
}
/** A supply point that is about to leave, with the end of supply that was asked for. */
export interface TerminationInitiatedSupplyPoint {
  /** MPAN or MPRN: the number of the supply point in the market. */
  external_identifier: string;
  /** The market, such as electricity or gas of a country. */
  market_name: string;
  /** Day on which supply should end. */
  requested_supply_end_date: string;
}
/** A leaving process changed, for example its end date. */
export interface LifecycleLeaveSupplierUpdatedV2 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
  /** Moment at which supply should end. */
  requested_supply_end_at: string;
  /** Day on which supply should end. */
  requested_supply_end_date: string;
  /** Time at which it was changed. */
  updated_at: string;
  /** Whether another supplier takes over, rather than the customer asking to leave. */
  is_passive: boolean;
  /** The supply point by whose loss the leaving began. */
  passive_loss_instigated_supply_point_id?: number;
}
/** A leaving process changed, for example its end date; carries the process number as well. */
export interface LifecycleLeaveSupplierUpdatedV3 {
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** The leaving, by its internal id. */
  leave_supplier_process_id: number;
  /** Reason for leaving, such as a move. */
  leave_supplier_process_subtype: string;
  /** The supply points concerned. */
  supply_points: LeaveSupplyPoint[];
  /** Moment at which supply should end. */
  requested_supply_end_at: string;
  /** Day on which supply should end. */
  requested_supply_end_date: string;
  /** Time at which it was changed. */
  updated_at: string;
  /** Whether another supplier takes over, rather than the customer asking to leave. */
  is_passive: boolean;
  /** The supply point by whose loss the leaving began. */
  passive_loss_instigated_supply_point_id?: number;
  /** The leaving. */
  leave_supplier_process_number: string;
}
/** A joining or leaving process moved from one status to another. */
export interface LifecycleStatusChangedV1 {
  /** Number of the process. */
  process_number: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Status after the event. */
  new_status: string;
  /** Status before the event. */
  previous_status: string;
}
/** A colleague sold a supply to a customer, usually on the phone. */
export interface LifecycleSupportSiteSaleV1_0_0 {
  /** The colleague who made the sale. A string here; an integer in other events. */
  support_user_id: string;
  /** First day of supply. */
  supply_start_date: string;
  /** Kind of the sale, such as an enrolment or a house move. */
  trigger_action: string;
}
/** A person lost the role on an account that let them use its loyalty points. */
export interface LoyaltyPointsUserRoleRemovalV1 {
  /** Id of the user. */
  user_id: number;
  /** Id of the account. */
  account_id: number;
}
/** A push provider's token was struck off, so that nothing more is sent to that app. */
export interface MessagingPushNotificationTokenUnregisteredV1 {
  /** Token of the device for push notifications. */
  token: string;
  /** The push service that issued the token. */
  external_provider: string;
}
/** A request to resolve a problem in a meter's data was called off. */
export interface MeterDataQualityResolutionCancelledV1 {
  /** Id of the data quality issue. */
  issue_id: number;
  /** Category of the issue. */
  issue_category: string;
  /** Subcategory of the issue. */
  issue_subcategory: string;
  /** Status of the issue. */
  issue_status: string;
  /** The supply point, by its number in the market. */
  market_supply_point_id: string;
  /** Time at which the issue was opened. */
  opened_at: string;
  /** First day of the period. */
  period_start: string;
  /** Day after the period. */
  period_end: string;
  /** Type of the readings. */
  reading_type: string;
  /** Electricity or gas. */
  utility: string;
}
/** A request to resolve a problem in a meter's data was called off; tells what called it off. */
export interface MeterDataQualityResolutionCancelledV2 {
  /** Id of the data quality issue. */
  issue_id: number;
  /** Category of the issue. */
  issue_category: string;
  /** Subcategory of the issue. */
  issue_subcategory: string;
  /** Status of the issue. */
  issue_status: string;
  /** The supply point, by its number in the market. */
  market_supply_point_id: string;
  /** Time at which the issue was opened. */
  opened_at: string;
  /** First day of the period. */
  period_start: string;
  /** Day after the period. */
  period_end: string;
  /** Type of the readings. */
  reading_type: string;
  /** Electricity or gas. */
  utility: string;
  /** Origin of the cancellation. */
  source: string;
}
/** Somebody was asked to resolve a problem in a meter's data. */
export interface MeterDataQualityResolutionRequestedV1 {
  /** Id of the data quality issue. */
  issue_id: number;
  /** Category of the issue. */
  issue_category: string;
  /** Subcategory of the issue. */
  issue_subcategory: string;
  /** Status of the issue. */
  issue_status: string;
  /** The supply point, by its number in the market. */
  market_supply_point_id: string;
  /** Time at which the issue was opened. */
  opened_at: string;
  /** First day of the period. */
  period_start: string;
  /** Day after the period. */
  period_end: string;
  /** Type of the readings. */
  reading_type: string;
  /** Electricity or gas. */
  utility: string;
}
/** A Texan electricity meter point changed its status in the market. */
export interface MeterPointMarketStatusChangedV1 {
  electricity_meter_point: ElectricityMeterPoint;
  meter_point_account_status: MeterPointAccountStatus;
}
/** An electricity meter point in Texas, named by its ESI ID. */
export interface ElectricityMeterPoint {
  /** Electric Service Identifier: the meter point's number in Texas. */
  esi_id: string;
  /** Whether there is a meter at all. */
  is_metered: boolean;
  /** The utility whose wires lead to the meter point. */
  service_provider: string;
  /** Time at which it was changed. */
  updated_at: string;
  /** Serial number of the meter. */
  meter_serial_number: string;
}
/** The status of a meter point's account in the market. */
export interface MeterPointAccountStatus {
  /** Status of the meter point for the account. */
  status: string;
  /** Time at which it takes effect. */
  effective_at: string;
  /** Time at which it was changed. */
  updated_at: string;
}
/** We asked to be registered as the supplier of an electricity meter point. */
export interface MeterpointElecCosGainRegistrationRequestedV1 {
  /** Meter Point Administration Number: the electricity meter point. */
  mpan: string;
  /** First day of supply. */
  supply_start_date: string;
  /** The supplier, by market participant id (MPID). */
  supplier_mpid: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
  /** Whether the meter point stays within the group of companies. */
  is_internal_transfer: boolean;
  /** Whether the meter point came by migration. */
  is_migrated: boolean;
  /** Whether the supply point exports electricity. */
  is_export: boolean;
}
/** Supply details of a gas meter point were filled in through the API. */
export interface MeterpointGasApiBackfillV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Market participant id of the supplier. */
  supplier: string;
  /** First day of supply. */
  supply_start_date: string;
  /** Factor of a reading. A string here; an integer or a number in other events. */
  meter_reading_factor: string;
  /** The shipper's reference for the nomination. */
  nomination_shipper_ref: string;
  /** Day on which supply ends. */
  supply_end_date: string;
}
/** A meter asset manager (MAM) was asked to look after a gas meter. */
export interface MeterpointGasAppointMamRequestedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** The meter asset manager (MAM) that is to look after the meter. */
  mam_to_appoint: string;
  /** Whether to appoint even if a check speaks against it. */
  force_appointment: boolean;
  /** The owner of the meter. An object here; a string in meterpoint.gas.cos_gain.mtd_received. */
  owner: Record<string, unknown>;
  /** Model of the meter. */
  model: string;
  /** Manufacturer of the meter. */
  manufacturer: string;
  /** Year in which the meter was made. */
  manufactured_year: number;
  /** Place of the meter, as a code. */
  location: string;
  /** Place of the meter, in words. */
  location_description: string;
  /** Status after the event. */
  status: string;
  /** Type of the meter. */
  meter_type: string;
  /** Kind of the meter, such as credit, prepayment or smart. */
  meter_mechanism: string;
}
/** The address, meter and supply details of a gas meter point were filled in afterwards. */
export interface MeterpointGasBackfillV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Market participant id of the supplier. */
  supplier: string;
  /** First day of supply. */
  supply_start_date: string;
  /** Name of the flat or unit. */
  sub_building_name: string;
  /** Name of the building. */
  building_name: string;
  /** A string here; an integer in meterpoint.gas.cos_gain.mtd_received. */
  building_number: string;
  /** The side street, as in a postal address. */
  dependent_street: string;
  /** The street, as in a postal address. Spelt principle_street in meterpoint.gas.cos_gain.mtd_received. */
  principal_street: string;
  /** The part of a dependent locality, as in a postal address. */
  double_dependent_locality: string;
  /** The part of a town, as in a postal address. */
  dependent_locality: string;
  /** Post town. */
  post_town: string;
  /** County. */
  county: string;
  /** Postcode. */
  postcode: string;
  /** Serial number of the meter. */
  meter_serial_number: string;
  /** Number of digits of the meter. */
  meter_digits: number;
  /** Kind of the meter, such as credit, prepayment or smart. */
  meter_mechanism: string;
  /** Whether the meter counts imperial units. */
  meter_is_imperial: boolean;
  /** Factor of a reading. A string here; an integer or a number in other events. */
  meter_reading_factor: string;
  /** A string here; an integer in meterpoint.gas.cos_gain.mtd_received. */
  last_reading: string;
  /** Day of the last reading. */
  last_reading_on: string;
  /** The shipper's reference for the nomination. */
  nomination_shipper_ref: string;
  /** The group of meter points that are handled alike. */
  cohort: string;
}
/** A gas meter point was asked to move to another cohort. */
export interface MeterpointGasChangeOfCohortRequestedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** The group of meter points that are handled alike. */
  cohort: string;
}
/** A gas meter was asked to move from one meter asset manager (MAM) to another. */
export interface MeterpointGasChangeOfMamRequestedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** The meter asset manager (MAM) that is to look after the meter. */
  mam_to_appoint: string;
  /** Whether to appoint even if a check speaks against it. */
  force_appointment: boolean;
  /** The owner of the meter. An object here; a string in meterpoint.gas.cos_gain.mtd_received. */
  owner: Record<string, unknown>;
  /** Model of the meter. */
  model: string;
  /** Manufacturer of the meter. */
  manufacturer: string;
  /** Year in which the meter was made. */
  manufactured_year: number;
  /** Place of the meter, as a code. */
  location: string;
  /** Place of the meter, in words. */
  location_description: string;
  /** Status after the event. */
  status: string;
  /** Type of the meter. */
  meter_type: string;
  /** Kind of the meter, such as credit, prepayment or smart. */
  meter_mechanism: string;
  /** First day on which it applies. */
  effective_from_date: string;
  /** The meter asset manager (MAM) so far. */
  current_mam: string;
}
/** The technical details of the meter arrived for a gas meter point that switched to us. */
export interface MeterpointGasCosGainMtdReceivedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Name of the building. */
  building_name: string;
  /** An integer here; a string in meterpoint.gas.backfill. */
  building_number: number;
  /** The side street, as in a postal address. */
  dependent_street: string;
  /** The street, as in a postal address. Spelt principal_street in meterpoint.gas.backfill. */
  principle_street: string;
  /** The part of a town, as in a postal address. */
  dependent_locality: string;
  /** Post town. */
  post_town: string;
  /** County. */
  county: string;
  /** Serial number of the meter. */
  meter_serial_number: string;
  /** Number of digits of the meter. */
  meter_digits: number;
  /** Kind of the meter, such as credit, prepayment or smart. */
  meter_mechanism: string;
  /** Type of the meter. */
  meter_type: string;
  /** Whether the meter counts imperial units. */
  meter_is_imperial: boolean;
  /** Factor of a reading. An integer here; a string or a number in other events. */
  meter_reading_factor: number;
  /** Whether the meter stands alone or is linked to others. */
  meter_link_code?: string;
  /** The owner of the meter. A string here; an object in other events. */
  owner: string;
  /** Model of the meter. */
  model: string;
  /** Manufacturer of the meter. */
  manufacturer: string;
  /** Year in which the meter was made. */
  manufactured_year: number;
  /** Place of the meter, as a code. */
  location: string;
  /** Place of the meter, in words. */
  location_description: string;
  /** Instructions for access to the meter. */
  instructions: string;
  /** Status after the event. */
  status: string;
  /** Gas per pulse of the meter. */
  pulse_value: number;
  /** Factor for temperature and pressure in the conversion of gas volume. */
  correction_factor: number;
  /** Whether gas can flow around the meter. */
  bypass_fitted: boolean;
  /** Whether the meter is sealed with a collar. */
  collar_fitted: boolean;
  /** Time at which the meter was last inspected. */
  last_inspection_on: string;
  /** An integer here; a string in meterpoint.gas.backfill. */
  last_reading: number;
  /** Day of the last reading. */
  last_reading_on: string;
}
/** Our registration as the supplier of a gas meter point was confirmed. */
export interface MeterpointGasCosGainRegistrationConfirmedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** The meter asset manager (MAM) under the previous supplier. */
  previous_mam: string;
  /** Whether the supply point is domestic. */
  is_domestic: boolean;
  /** Whether the meter asset manager belongs to an independent gas transporter (IGT). */
  is_igt_mam: boolean;
}
/** We asked to be registered as the supplier of a gas meter point. */
export interface MeterpointGasCosGainRegistrationRequestedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** First day of supply. */
  supply_start_date: string;
  /** The supplier, by market participant id (MPID). */
  supplier_mpid: string;
  /** Number of the account, for example A-1B2C3D4E. */
  account_number: string;
}
/** The loss of a gas meter point to another supplier was confirmed. */
export interface MeterpointGasCosLossConfirmedV1 {
  /** Id of the account. */
  account_id: number;
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Day on which supply ends. */
  supply_end_date: string;
  /** Whether a meter exists. */
  meter_exists: boolean;
  /** Serial number of the meter. */
  meter_serial_number: string;
  /** Number of digits of the meter. */
  meter_digits: number;
  /** Kind of the meter, such as credit, prepayment or smart. */
  meter_mechanism: string;
  /** Whether the meter counts imperial or metric units. */
  meter_imperial_metric_indicator: string;
  /** Factor of a reading. A number here; a string or an integer in other events. */
  meter_reading_factor: number;
  /** Market participant id of the new supplier. */
  new_supplier: string;
}
/** A meter asset manager (MAM) was asked to stop looking after a gas meter. */
export interface MeterpointGasDeappointMamRequestedV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** The meter asset manager (MAM) that is to stop looking after the meter. */
  mam_to_deappoint: string;
  /** Last day on which it applies. */
  effective_to_date: string;
  /** Whether this is because the meter point goes to another supplier. */
  is_cos_loss: boolean;
  /** Market participant id of the new supplier. */
  new_supplier: string;
  /** The meter asset manager (MAM) so far. */
  current_mam: string;
}
/** We accepted the other supplier's view of the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingAcceptedByUsV1 extends DisputedReading {}
/** A dispute between two suppliers about the gas reading on which a customer switched. */
export interface DisputedReading {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Market participant id of the supplier. */
  supplier: string;
  /** The dispute's number. */
  reference_number: number;
  /** The day of the switch. */
  transfer_date: string;
  /** The supplier that started the dispute. */
  initiating_organisation: string;
  /** Contact at the initiating organisation. */
  io_contact_name: string;
  /** The supplier that is to answer it. */
  recipient_organisation: string;
  /** Contact at the recipient organisation. */
  ro_contact_name: string;
  /** Serial number of the meter. */
  meter_serial: string;
  /** Number of digits of the meter. */
  meter_digits: number;
  /** House name or number. */
  house_name_number: string;
  /** Postcode. */
  postcode: string;
  /** The reading that is in dispute. */
  disputed_reading: number;
  /** Whether the disputed reading was taken at the meter rather than estimated. */
  disputed_reading_is_actual: boolean;
  /** The reading proposed in its place. */
  proposed_reading: number;
  /** Whether the proposed reading was taken at the meter rather than estimated. */
  proposed_reading_is_actual: boolean;
  /** Status of the dispute. */
  status_response: string;
  /** Reason for the difference of the readings. */
  root_cause: string;
  /** The industry's code for the answer. */
  rejection_acceptance_code: string;
  /** The industry's criterion for the dispute. */
  criteria: string;
  /** Comments on the reading. */
  comments: string;
  /** Whether the customer came to us (an opening reading) or left us (a closing one). */
  is_gain: boolean;
}
/** The other supplier accepted our view of the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingAcceptedOtherSupplierV1 extends DisputedReading {}
/** We proposed another value for the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingAlternativeProposedByUsV1 extends DisputedReading {}
/** The other supplier proposed another value for the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingAlternativeProposedOtherSupplierV1 extends DisputedReading {}
/** We asked the other supplier to explain their dispute of the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingQueriedByUsV1 extends DisputedReading {}
/** We disputed the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingStartedByUsV1 extends DisputedReading {}
/** The other supplier disputed the gas reading on which a customer left us. */
export interface MeterpointGasDisputedClosingReadingStartedOtherSupplierV1 extends DisputedReading {}
/** We accepted the other supplier's view of the gas reading on which a customer joined us. */
export interface MeterpointGasDisputedOpeningReadingAcceptedByUsV1 extends DisputedReading {}
/** The other supplier accepted our view of the gas reading on which a customer joined us. Incomplete: the specification lists only the first eight fields. */
export interface MeterpointGasDisputedOpeningReadingAcceptedOtherSupplierV1 {
  /** Meter Point Reference Number: the gas meter point. */
  mprn: string;
  /** Market participant id of the supplier. */
  supplier: string;
  /** The dispute's number. */
  reference_number: number;
  /** The day of the switch. */
  transfer_date: string;
  /** The supplier that started the dispute. */
  initiating_organisation: string;
  /** Contact at the initiating organisation. */
  io_contact_name: string;
  /** The supplier that is to answer it. */
  recipient_organisation: string;
  /** Contact at the recipient organisation. */
  ro_contact_name: string;
}
/** The account in a house move. */
export interface HouseMoveAccount {
  /** Number of the account. */
  number: string;
  /** Reference in another system. */
  external_reference: string;
}
/** A supply point in a house move, with its tariff. */
export interface HouseMoveSupplyPoint {
  /** Id of the supply point. */
  id: string;
  /** Market of the supply point. */
  industry?: string;
  /** Code of the tariff. */
  tariff_code?: string;
  /** Payment method of the tariff. */
  tariff_payment_method?: string;
}
/** An electricity meter with its technical details and registers. */
export interface Meter {
  /** Serial number of the meter. */
  serial_number: string;
  /** The current that the meter is built for. */
  current_rating: number;
  /** Place of the meter, as a code. */
  location: string;
  /** Make and type of the meter. */
  make_and_type: string;
  /** The owner of the meter, by market participant id (MPID). */
  meter_asset_provider_mpid: string;
  /** Type of the meter. */
  meter_type: string;
  /** Method of taking readings. */
  retrieval_method: string;
  /** Since when readings are taken that way. */
  retrieval_method_effective_from: string;
  /** The code of practice (CoP) that the meter complies with. */
  meter_cop: string;
  /** An exemption from the code of practice (CoP). */
  meter_cop_dispensation: string;
  /** Address of the meter for remote access. */
  communications_address: string;
  /** Technology of remote access to the meter. */
  communications_method: string;
  /** Ratio of the voltage transformer. */
  vt_ratio: string;
  /** Day of the installation. */
  installation_date: string;
  /** The device that switches the meter between rates. */
  timing_device_id: string;
  /** Whether the meter is switched by radio. */
  is_tele_switch: boolean;
  /** Ratio of the current transformer. */
  ct_ratio: string;
  /** Registers of the meter. */
  registers: Register[];
}
/** One register of an electricity meter. */
export interface Register {
  /** Id of the register. */
  register_id: string;
  /** Kind of the register. */
  register_type: string;
  /** Quantity that the register measures. */
  measurement_quantity: string;
  /** Factor of a reading of the register. */
  multiplier: string;
  /** Number of digits of the register. */
  digits: number;
  /** Whether this is the main register. */
  is_main: boolean;
  /** The serial number of a meter that this register is tied to. */
  associated_meter_serial: string;
  /** The register of that meter. */
  associated_register_id: string;
}
/** A payment from or to a customer, with the reason if it failed. */
export interface Payment {
  /** Id of the payment. */
  id: number;
  /** Amount of money. */
  amount: number;
  /** Day of the payment. */
  payment_date: string;
  /** Description of the payment. */
  description: string;
  /** Reason for the failure. */
  failure_reason?: string;
}
/** The account that a ledger of payments belongs to. */
export interface PaymentsAccount {
  /** Number of the account. */
  number: string;
}
/** A ledger of payments. */
export interface PaymentsLedger {
  account: PaymentsAccount;
  /** Id of the ledger. */
  id?: string;
}
/** An electricity meter that was taken out. */
export interface RemovedMeter {
  /** Serial number of the meter. */
  serial_number: string;
  /** Day on which the meter was removed. */
  date_of_removal: string;
  /** The owner of the meter, by market participant id (MPID). */
  meter_asset_provider_mpid: string;
}

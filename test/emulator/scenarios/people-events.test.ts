import { describe, expect, it } from 'vitest';
import { findScenario } from '../../../emulator/scenarios/find.js';
import { play } from './play.js';

/** Events of each scenario about people, contracts and devices, over all branches. */
const facts: Record<string, readonly string[]> = {
  'auth-login': [
    'auth-server.access-token.issued-v1',
    'auth_server.account_user.generate_mfa_challenge_error-v1',
    'auth_server.account_user.logged_in-v1',
    'auth_server.account_user.login_denied-v1',
    'auth_server.account_user.login_failed-v1',
    'auth_server.account_user.login_step_completed-v1',
  ],
  'password-and-verification': [
    'account_user.password_changed-v1',
    'account_user.password_reset_requested-v1',
    'account_user.verification_completed-v1',
    'account_user.verification_started-v1',
    'auth_server.account_user.logged_in-v1',
  ],
  'psr-and-preferences': [
    'account.communications_preferences_updated-v1',
    'account.updated-v1',
    'account_metadata.created-v1',
    'account_metadata.removed-v1',
    'account_metadata.updated-v1',
    'account_user.psr_records_updated-v1',
    'account_user.updated-v1',
    'account_user_metadata.created-v1',
    'account_user_metadata.removed-v1',
    'account_user_metadata.updated-v1',
  ],
  'smart-read-permission': ['account.smart-meter-read-permission-changed-v1', 'consents.consent.updated-v1'],
  'user-removed': ['account_user.removed-v1', 'loyalty-points.user-role-removal-v1'],
  'contact-email': [
    'ink.actions.run-v1',
    'ink.content.inbound-message-tagged-v1',
    'ink.conversation.assigned_to_bucket-v1',
    'ink.conversation.assigned_to_timeline-v1',
    'ink.conversation.await_customer_reply-v1',
    'ink.conversation.closed-v1',
    'ink.conversation.open_status_changed-v1',
    'ink.conversation.opened-v1',
    'ink.conversation.priority.changed-v1',
    'ink.conversation.snoozed-v1',
    'ink.conversation.unassigned_from_bucket-v1',
    'ink.conversation.unassigned_from_timeline-v1',
    'ink.message_attachment.safe-v1',
    'ink.message_attachment.unsafe-v1',
    'ink.messages.inbound-email-migration-v1',
    'ink.messages.inbound-message-created-v1',
    'ink.messages.inbound-message-ingested-v1',
    'ink.messages.outbound-message-created-v1',
    'ink.messages.outbound-message-failed-v1',
    'ink.messages.phishing-report-dismissed-v1',
    'ink.messages.reported-phishing-v1',
    'ink.messages.reported-spam-v1',
    'ink.messages.spam-report-dismissed-v1',
  ],
  'live-chat': [
    'ink.live-chat.closed-v1',
    'ink.live-chat.initiated-v1',
    'ink.live-chat.messages.outbound-message-created-v1',
  ],
  'phone-call': ['comms.account-call.updated-v1', 'comms.transcription.created-v1'],
  'file-upload-and-push': [
    'comms.push-notification.received-unregistered-or-expired-token-v1',
    'external_messaging.uploaded_file.processed-v1',
    'external_messaging.uploaded_file.processing_failed-v1',
    'external_messaging.uploaded_file.safe-v1',
    'external_messaging.uploaded_file.unsafe-v1',
    'messaging.push-notification.token-unregistered-v1',
  ],
  'contract-life': [
    'agreement.created-v1',
    'agreement.revoked-v1',
    'agreement.revoked-v2',
    'agreement.terminated-v1',
    'agreement.terminated-v2',
    'contracts.actualized-v1',
    'contracts.created-v1',
    'contracts.expired-v1',
    'contracts.expiry-approaching-v1',
    'contracts.journeys.creation.started-v1',
    'contracts.journeys.termination.started-v1',
    'contracts.journeys.variation.started-v1',
    'contracts.novated-v1',
    'contracts.rescinded-v1',
    'contracts.revoked-v1',
    'contracts.subject-amended-v1',
    'contracts.terminated-v1',
    'contracts.terms-varied-v1',
  ],
  'contract-group': [
    'contract-groups.created-v1',
    'contract-groups.memberships-changed-v1',
    'contract-groups.version-created-v1',
  ],
  'goods-and-leads': [
    'complex_quoting.cost_calculation_finished-v1',
    'goods.purchase-created-v1',
    'goods.quote.created-for-account-v1',
    'goods.quote.created-without-account-v1',
    'leads.lead.stage-updated-v1',
    'leads.opportunity.document-attached-to-opportunity-v1',
    'leads.opportunity.offer-group.created-v2',
    'leads.opportunity.stage-updated-v1',
  ],
  campaigns: ['campaign_account.added-v1', 'campaign_account.removed-v1', 'campaign_account.updated-v1'],
  'business-onboarding': [
    'account.created-v1',
    'account_user.updated-v1',
    'business.created-v1',
    'business.updated-v1',
    'business_operations_team.updated-v1',
    'credit_check.created-v1',
    'internal_company.created-v1',
  ],
  'access-roles': [
    'customer_access.partner_roles.created-v1',
    'customer_access.partner_roles.updated-v1',
    'customer_access.partner_user_roles.created-v1',
    'customer_access.partner_user_roles.updated-v1',
    'customer_access.user_roles.created-v1',
    'customer_access.user_roles.updated-v1',
  ],
  'flex-register': ['flex_device.deauthenticated-v1', 'flex_device.registered-v1'],
  'flex-day': ['flex_device.disconnected-v1', 'flex_device.optimisation_created-v1'],
};

describe('events of people, contracts and devices', () => {
  it.each(Object.entries(facts))(
    '%s sends these events over its branches, and no others',
    async (name, events) => {
      const { branches } = findScenario(name);
      const forced = Object.entries(branches).flatMap(([branch, outcomes]) =>
        Object.keys(outcomes).map((outcome) => ({ [branch]: outcome })),
      );
      const seen = new Set<string>();
      for (const outcome of [{}, ...forced]) {
        const emissions = await play(name, { seed: 5, instances: 8, branches: outcome });
        for (const { envelope } of emissions) seen.add(`${envelope.event_type}-${envelope.version}`);
      }
      expect([...seen].sort()).toEqual([...events].sort());
    },
  );
});

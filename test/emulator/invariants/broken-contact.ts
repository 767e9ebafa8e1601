import type { Broken } from './broken.js';
import { again, before, changed, late } from './mutations.js';

const chat = 'ink.live-chat';

/** Of conversations, devices and contracts. */
export const brokenContact: readonly Broken[] = [
  {
    invariant: 'conversation-in-order',
    how: 'a message comes before the conversation is opened',
    scenario: 'contact-email',
    mutate: before('ink.conversation.opened', 'ink.messages.inbound-message-created'),
  },
  {
    invariant: 'conversation-in-order',
    how: 'an agent writes after it was closed',
    scenario: 'contact-email',
    branches: { kind: 'normal', reply: 'yes' },
    mutate: again('ink.messages.outbound-message-created', { 'message.relay_id': 'other' }),
  },
  {
    invariant: 'bucket-left-after-joined',
    how: 'it is taken out of its bucket twice',
    scenario: 'contact-email',
    mutate: again('ink.conversation.unassigned_from_bucket'),
  },
  {
    invariant: 'timeline-left-after-joined',
    how: 'it is taken out of its timeline twice',
    scenario: 'contact-email',
    branches: { timeline: 'yes' },
    mutate: again('ink.conversation.unassigned_from_timeline'),
  },
  {
    invariant: 'spam-dismissed-after-reported',
    how: 'the report is dismissed first',
    scenario: 'contact-email',
    branches: { kind: 'spam-dismissed' },
    mutate: before('ink.messages.reported-spam', 'ink.messages.spam-report-dismissed'),
  },
  {
    invariant: 'phishing-dismissed-after-reported',
    how: 'the report is dismissed twice',
    scenario: 'contact-email',
    branches: { kind: 'phishing-dismissed' },
    mutate: again('ink.messages.phishing-report-dismissed'),
  },
  {
    invariant: 'message-fails-after-sent',
    how: 'the message fails before it is sent',
    scenario: 'contact-email',
    branches: { kind: 'normal', delivery: 'failed' },
    mutate: before('ink.messages.outbound-message-created', 'ink.messages.outbound-message-failed'),
  },
  {
    invariant: 'conversation-ids-fixed',
    how: 'the conversation is closed under another number',
    scenario: 'contact-email',
    mutate: changed('ink.conversation.closed', { conversation_id: 4711 }),
  },
  {
    invariant: 'live-chat-in-order',
    how: 'an agent answers after the end',
    scenario: 'live-chat',
    mutate: late(`${chat}.messages.outbound-message-created`),
  },
  {
    invariant: 'device-in-order',
    how: 'a device is given up before it is registered',
    scenario: 'flex-register',
    branches: { access: 'lost' },
    mutate: before('flex_device.registered', 'flex_device.deauthenticated'),
  },
  {
    invariant: 'device-in-order',
    how: 'a car is unplugged twice',
    scenario: 'flex-day',
    mutate: again('flex_device.disconnected'),
  },
  {
    invariant: 'charge-never-falls',
    how: 'a car is unplugged with less than it had',
    scenario: 'flex-day',
    mutate: changed('flex_device.disconnected', { 'payload.disconnected_soc': 1 }),
  },
  {
    invariant: 'dispatches-within-plan',
    how: 'a dispatch ends after the plan',
    scenario: 'flex-day',
    mutate: changed('flex_device.optimisation_created', {
      'payload.dispatches[0].end': '2027-01-01T00:00:00.000Z',
    }),
  },
  ...(['partner', 'partner-user', 'user'] as const).map((kind): Broken => {
    const family =
      `customer_access.${kind.replace('-', '_') as 'partner' | 'partner_user' | 'user'}_roles` as const;
    return {
      invariant: `${kind}-role-created-first`,
      how: 'a role is updated before it is created',
      scenario: 'access-roles',
      branches: { kind, course: 'created-then-updated' },
      mutate: before(`${family}.created`, `${family}.updated`),
    };
  }),
  {
    invariant: 'contract-in-order',
    how: 'a contract expires twice',
    scenario: 'contract-life',
    branches: { outcome: 'expired' },
    mutate: again('contracts.expired'),
  },
  {
    invariant: 'contract-in-order',
    how: 'a contract is in the books before it is signed',
    scenario: 'contract-life',
    branches: { outcome: 'running' },
    mutate: before('contracts.created', 'contracts.actualized'),
  },
  {
    invariant: 'contract-group-created-first',
    how: 'a group has terms before it is there',
    scenario: 'contract-group',
    mutate: before('contract-groups.created', 'contract-groups.version-created'),
  },
];

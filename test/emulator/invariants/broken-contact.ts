import { type Broken, on } from './broken.js';
import { again, before, changed, late } from './mutations.js';

const chat = 'ink.live-chat';

/** Of conversations, devices and contracts. */
export const brokenContact: Readonly<Record<string, Broken>> = {
  'conversation-in-order: a message comes before the conversation is opened': on(
    'contact-email',
    {},
    before('ink.conversation.opened', 'ink.messages.inbound-message-created'),
  ),
  'conversation-in-order: an agent writes after it was closed': on(
    'contact-email',
    { kind: 'normal', reply: 'yes' },
    again('ink.messages.outbound-message-created', { 'message.relay_id': 'other' }),
  ),
  'bucket-left-after-joined: it is taken out of its bucket twice': on(
    'contact-email',
    {},
    again('ink.conversation.unassigned_from_bucket'),
  ),
  'timeline-left-after-joined: it is taken out of its timeline twice': on(
    'contact-email',
    { timeline: 'yes' },
    again('ink.conversation.unassigned_from_timeline'),
  ),
  'spam-dismissed-after-reported: the report is dismissed first': on(
    'contact-email',
    { kind: 'spam-dismissed' },
    before('ink.messages.reported-spam', 'ink.messages.spam-report-dismissed'),
  ),
  'phishing-dismissed-after-reported: the report is dismissed twice': on(
    'contact-email',
    { kind: 'phishing-dismissed' },
    again('ink.messages.phishing-report-dismissed'),
  ),
  'message-fails-after-sent: the message fails before it is sent': on(
    'contact-email',
    { kind: 'normal', delivery: 'failed' },
    before('ink.messages.outbound-message-created', 'ink.messages.outbound-message-failed'),
  ),
  'conversation-ids-fixed: the conversation is closed under another number': on(
    'contact-email',
    {},
    changed('ink.conversation.closed', { conversation_id: 4711 }),
  ),
  'live-chat-in-order: an agent answers after the end': on(
    'live-chat',
    {},
    late(`${chat}.messages.outbound-message-created`),
  ),
  'device-in-order: a device is given up before it is registered': on(
    'flex-register',
    { access: 'lost' },
    before('flex_device.registered', 'flex_device.deauthenticated'),
  ),
  'device-in-order: a car is unplugged twice': on('flex-day', {}, again('flex_device.disconnected')),
  'charge-never-falls: a car is unplugged with less than it had': on(
    'flex-day',
    {},
    changed('flex_device.disconnected', { 'payload.disconnected_soc': 1 }),
  ),
  'dispatches-within-plan: a dispatch ends after the plan': on(
    'flex-day',
    {},
    changed('flex_device.optimisation_created', {
      'payload.dispatches[0].end': '2027-01-01T00:00:00.000Z',
    }),
  ),
  ...Object.fromEntries(
    (['partner', 'partner-user', 'user'] as const).map((kind) => {
      const family =
        `customer_access.${kind.replace('-', '_') as 'partner' | 'partner_user' | 'user'}_roles` as const;
      return [
        `${kind}-role-created-first: a role is updated before it is created`,
        on(
          'access-roles',
          { kind, course: 'created-then-updated' },
          before(`${family}.created`, `${family}.updated`),
        ),
      ];
    }),
  ),
  'contract-in-order: a contract expires twice': on(
    'contract-life',
    { outcome: 'expired' },
    again('contracts.expired'),
  ),
  'contract-in-order: a contract is in the books before it is signed': on(
    'contract-life',
    { outcome: 'running' },
    before('contracts.created', 'contracts.actualized'),
  ),
  'contract-group-created-first: a group has terms before it is there': on(
    'contract-group',
    {},
    before('contract-groups.created', 'contract-groups.version-created'),
  ),
};

import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import { again, againBefore, all, before, changed, late, type Mutation, followedBy } from './mutations.js';

/** A stream of a scenario, and what makes it one that could never be. */
export interface Broken {
  readonly invariant: string;
  readonly how: string;
  readonly scenario: string | readonly string[];
  readonly branches?: Readonly<Record<PlatformScenario['name'], string>>;
  readonly seed?: number;
  readonly instances?: number;
  readonly mutate: Mutation;
}

const join = 'lifecycle.join-supplier';
const leave = 'lifecycle.leave-supplier';
const bill = 'billing.billing_document';
const fee = 'late_payment_fee';
const chat = 'ink.live-chat';
const imported = 'data_import.import_process';
const closing = 'meterpoint.gas.disputed_closing_reading';

/** Each invariant at least once. */
export const broken: readonly Broken[] = [
  {
    invariant: 'account-created-first',
    how: 'a user is linked to an account that is opened afterwards',
    scenario: 'house-move',
    branches: { account: 'new' },
    mutate: before('account.created', 'account_user.updated'),
  },
  {
    invariant: 'account-created-first',
    how: 'an account is opened twice',
    scenario: 'join-switch-gain',
    mutate: again('account.created'),
  },
  {
    invariant: 'user-created-first',
    how: 'needs are registered for somebody who is not there yet',
    scenario: 'data-import-account',
    branches: { outcome: 'completed', needs: 'registered' },
    mutate: before('account_user.created', 'account_user.psr_records_updated'),
  },
  {
    invariant: 'agreement-created-first',
    how: 'a ledger is assigned to an agreement to come',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed' },
    mutate: before('agreement.created', 'billing.charging-ledger.assigned-to-agreement'),
  },
  {
    invariant: 'agreement-ends-once',
    how: 'an agreement is terminated twice',
    scenario: 'house-move',
    mutate: again('agreement.terminated'),
  },
  {
    invariant: 'agreement-ends-once',
    how: 'an agreement is given a ledger after it was revoked',
    scenario: 'join-switch-gain',
    branches: { outcome: 'reversed' },
    mutate: again('billing.charging-ledger.assigned-to-agreement'),
  },
  {
    invariant: 'join-in-order',
    how: 'activation is initiated before the process is requested',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed' },
    mutate: before(`${join}.requested`, `${join}.activation.initiated`),
  },
  {
    invariant: 'join-in-order',
    how: 'a completed process is cancelled',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed' },
    mutate: followedBy(`${join}.cancelled`, `${join}.completed`),
  },
  {
    invariant: 'join-in-order',
    how: 'a process is reversed before it is completed',
    scenario: 'join-switch-gain',
    branches: { outcome: 'reversed' },
    mutate: before(`${join}.completed`, `${join}.reversed`),
  },
  {
    invariant: 'join-supply-points-in-order',
    how: 'the process is completed before its supply point',
    scenario: 'house-move',
    mutate: before(`${join}.activation.completed`, `${join}.completed`),
  },
  {
    invariant: 'join-starts-as-registered',
    how: 'another start of supply is confirmed than was registered',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed' },
    mutate: changed(`${join}.activation.completed`, {
      'supply_point.confirmed_supply_start_date': '2026-12-24',
    }),
  },
  {
    invariant: 'join-agreement-is-the-created-one',
    how: 'an agreement is recorded that was never created',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed' },
    mutate: changed(`${join}.agreement.created`, { 'agreements[0].id': 4711 }),
  },
  {
    invariant: 'join-agreement-is-the-created-one',
    how: 'an agreement is recorded with another product',
    scenario: 'house-move',
    mutate: changed(`${join}.agreement.created`, { 'agreements[0].product_code': 'OTHER-26-01-01' }),
  },
  {
    invariant: 'leave-in-order',
    how: 'termination is initiated before the process is requested',
    scenario: 'switch-loss',
    branches: { outcome: 'completed' },
    mutate: before(`${leave}.requested`, `${leave}.termination.initiated`),
  },
  {
    invariant: 'leave-in-order',
    how: 'a completed process is cancelled',
    scenario: 'house-move',
    mutate: followedBy(`${leave}.cancelled`, `${leave}.completed`, 'v2'),
  },
  {
    invariant: 'leave-in-order',
    how: 'a process that is completed goes on',
    scenario: 'switch-loss',
    branches: { outcome: 'completed' },
    mutate: again(`${leave}.await-pre-termination-flow-step.initiated`),
  },
  {
    invariant: 'leave-supply-points-in-order',
    how: 'the process is completed before its supply point',
    scenario: 'house-move',
    mutate: before(`${leave}.termination.confirmed`, `${leave}.completed`),
  },
  {
    invariant: 'leave-versions-agree',
    how: 'one version says another end of supply',
    scenario: 'house-move',
    mutate: changed(`${leave}.requested`, { requested_supply_end_date: '2026-12-24' }, 'v3'),
  },
  {
    invariant: 'supply-ends-on-one-day',
    how: 'the loss is complete on another day than is confirmed',
    scenario: 'switch-loss',
    branches: { outcome: 'completed' },
    mutate: changed('industry.electricity.change_of_supply.loss.complete', {
      supply_end_date: '2026-12-24',
    }),
  },
  {
    invariant: 'one-final-bill',
    how: 'there are two',
    scenario: 'house-move',
    mutate: again('billing.final_bill'),
  },
  {
    invariant: 'one-final-bill',
    how: 'it comes after two months',
    scenario: 'switch-loss',
    branches: { outcome: 'completed' },
    mutate: late('billing.final_bill', 60),
  },
  {
    invariant: 'one-final-bill',
    how: 'it never comes, while others get theirs and some come back',
    scenario: ['house-move', 'switch-loss', 'debt-path'],
    branches: { account: 'new', outcome: 'reversed', end: 'terminated' },
    instances: 3,
    mutate: (events) => {
      const lost = events.find(({ type }) => type === 'billing.final_bill');
      return events.filter((event) => event !== lost);
    },
  },
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
        ({ type, version }) => type === 'billing.ledger.entry_posted' && version === 'v2',
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
  {
    invariant: 'import-in-order',
    how: 'the rehearsal comes after the run',
    scenario: 'data-import-account',
    branches: { outcome: 'completed' },
    mutate: late(`${imported}.dry_run_complete`),
  },
  {
    invariant: 'import-in-order',
    how: 'a complete import fails',
    scenario: 'data-import-account',
    branches: { outcome: 'completed' },
    mutate: followedBy(`${imported}.error`, `${imported}.complete`),
  },
  {
    invariant: 'import-in-order',
    how: 'the rest comes before the account',
    scenario: 'data-import-account',
    branches: { outcome: 'completed', later: 'completed' },
    mutate: before(`${imported}.complete`, `${imported}.post_import.completed`),
  },
  {
    invariant: 'imported-order-ends-once',
    how: 'a complete order fails',
    scenario: 'data-import-order',
    branches: { outcome: 'completed' },
    mutate: followedBy('data_import.order_process.error', 'data_import.order_process.complete'),
  },
  {
    invariant: 'imported-account-is-marked',
    how: 'the account is created like any other',
    scenario: 'data-import-account',
    branches: { outcome: 'completed' },
    mutate: changed('account.created', { is_imported: false }),
  },
  {
    invariant: 'meter-details-before-dispute',
    how: 'the loss is confirmed before the details came',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed', 'meter-details': 'received' },
    instances: 5,
    mutate: all(
      followedBy('meterpoint.gas.cos_loss.confirmed', 'meterpoint.gas.cos_gain.mtd_received'),
      before('meterpoint.gas.cos_gain.mtd_received', 'meterpoint.gas.cos_loss.confirmed'),
    ),
  },
  {
    invariant: 'gas-meter-constant',
    how: 'what is sent again is another meter',
    scenario: 'join-switch-gain',
    branches: { outcome: 'completed', 'meter-details': 'received' },
    instances: 5,
    mutate: all(
      followedBy('meterpoint.gas.backfill', 'meterpoint.gas.cos_gain.mtd_received'),
      changed('meterpoint.gas.backfill', { meter_serial_number: 'OTHER' }),
    ),
  },
  {
    invariant: 'one-acceptance-per-dispute',
    how: 'both sides accept',
    scenario: 'gas-disputed-closing',
    branches: { 'started-by': 'us', outcome: 'accepted' },
    mutate: followedBy(`${closing}.accepted.by_us`, `${closing}.accepted.other_supplier`),
  },
  {
    invariant: 'one-acceptance-per-dispute',
    how: 'it is accepted before it is started',
    scenario: 'gas-disputed-closing',
    branches: { 'started-by': 'us', outcome: 'accepted' },
    mutate: before(`${closing}.started.by_us`, `${closing}.accepted.other_supplier`),
  },
  {
    invariant: 'account-metadata-in-order',
    how: 'a note is changed after it was removed',
    scenario: 'psr-and-preferences',
    branches: { topic: 'account-note', note: 'updated-then-removed' },
    mutate: again('account_metadata.updated'),
  },
  {
    invariant: 'user-metadata-in-order',
    how: 'a note is removed twice',
    scenario: 'psr-and-preferences',
    branches: { topic: 'user-note', note: 'updated-then-removed' },
    mutate: again('account_user_metadata.removed'),
  },
  {
    invariant: 'account-property-period-metadata-in-order',
    how: 'a note is changed before it is made',
    scenario: 'house-move',
    branches: { forwarding: 'updated-then-removed' },
    mutate: before(
      'account_property_effective_period_metadata.created',
      'account_property_effective_period_metadata.updated',
    ),
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
  {
    invariant: 'approval-in-order',
    how: 'what was rejected is approved',
    scenario: 'approvals',
    branches: { verdict: 'rejected' },
    mutate: followedBy('approvals.approval.approved', 'approvals.approval.rejected'),
  },
  {
    invariant: 'approval-in-order',
    how: 'it is approved before whoever was asked agrees',
    scenario: 'approvals',
    branches: { verdict: 'approved' },
    mutate: before('approvals.approval_request.approved', 'approvals.approval.approved'),
  },
  {
    invariant: 'approved-by-somebody-else',
    how: 'whoever asks agrees',
    scenario: 'approvals',
    branches: { verdict: 'approved', process: 'REFUND' },
    mutate: (events) => {
      const payload = events.find(({ type }) => type === 'approvals.approval.created')?.payload;
      const { requested_by_id } = payload as { requested_by_id: number };
      return changed('approvals.approval_request.approved', { approved_by_id: requested_by_id })(events);
    },
  },
];

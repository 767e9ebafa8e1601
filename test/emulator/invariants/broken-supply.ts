import type { Broken } from './broken.js';
import { again, all, before, changed, followedBy, late } from './mutations.js';

const join = 'lifecycle.join-supplier';
const leave = 'lifecycle.leave-supplier';
const imported = 'data_import.import_process';
const closing = 'meterpoint.gas.disputed_closing_reading';

/** Of accounts and users, agreements, joining and leaving, meters and imports. */
export const brokenSupply: readonly Broken[] = [
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
    how: 'needs are registered before their user exists',
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
    how: 'a completed process continues',
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
];

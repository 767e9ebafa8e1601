import { type Broken, on } from './broken.js';
import { again, all, before, changed, followedBy, late } from './mutations.js';

const join = 'lifecycle.join-supplier';
const leave = 'lifecycle.leave-supplier';
const imported = 'data_import.import_process';
const permission = 'account.smart-meter-read-permission-changed';
const closing = 'meterpoint.gas.disputed_closing_reading';

/** Of accounts and users, agreements, joining and leaving, meters and imports. */
export const brokenSupply: Readonly<Record<string, Broken>> = {
  'account-created-first: a user is linked to an account that is opened afterwards': on(
    'house-move',
    { account: 'new' },
    before('account.created', 'account_user.updated'),
  ),
  'account-created-first: an account is opened twice': on('join-switch-gain', {}, again('account.created')),
  'user-created-first: needs are registered before their user exists': on(
    'data-import-account',
    { outcome: 'completed', needs: 'registered' },
    before('account_user.created', 'account_user.psr_records_updated'),
  ),
  'agreement-created-first: a ledger is assigned to an agreement to come': on(
    'join-switch-gain',
    { outcome: 'completed' },
    before('agreement.created', 'billing.charging-ledger.assigned-to-agreement'),
  ),
  'agreement-ends-once: an agreement is terminated twice': on(
    'house-move',
    {},
    again('agreement.terminated'),
  ),
  'agreement-ends-once: an agreement is given a ledger after it was revoked': on(
    'join-switch-gain',
    { outcome: 'reversed' },
    again('billing.charging-ledger.assigned-to-agreement'),
  ),
  'join-in-order: activation is initiated before the process is requested': on(
    'join-switch-gain',
    { outcome: 'completed' },
    before(`${join}.requested`, `${join}.activation.initiated`),
  ),
  'join-in-order: a completed process is cancelled': on(
    'join-switch-gain',
    { outcome: 'completed' },
    followedBy(`${join}.cancelled`, `${join}.completed`),
  ),
  'join-in-order: a process is reversed before it is completed': on(
    'join-switch-gain',
    { outcome: 'reversed' },
    before(`${join}.completed`, `${join}.reversed`),
  ),
  'join-supply-points-in-order: the process is completed before its supply point': on(
    'house-move',
    {},
    before(`${join}.activation.completed`, `${join}.completed`),
  ),
  'join-starts-as-registered: another start of supply is confirmed than was registered': on(
    'join-switch-gain',
    { outcome: 'completed' },
    changed(`${join}.activation.completed`, {
      'supply_point.confirmed_supply_start_date': '2026-12-24',
    }),
  ),
  'join-agreement-is-the-created-one: an agreement is recorded that was never created': on(
    'join-switch-gain',
    { outcome: 'completed' },
    changed(`${join}.agreement.created`, { 'agreements[0].id': 4711 }),
  ),
  'join-agreement-is-the-created-one: an agreement is recorded with another product': on(
    'house-move',
    {},
    changed(`${join}.agreement.created`, { 'agreements[0].product_code': 'OTHER-26-01-01' }),
  ),
  'energisation-alternates: a supply point is switched off twice': on(
    'energisation-and-service',
    { power: 'off' },
    again('industry.electricity.change_of_energisation.unsolicited_message'),
  ),
  'read-permission-changes: a permission stays the same': on(
    'smart-read-permission',
    {},
    changed(permission, { old_permission: 'DAILY', new_permission: 'DAILY' }),
  ),
  'read-permission-changes: a permission changes from what it was not': on(
    'smart-read-permission',
    {},
    again(permission),
  ),
  'leave-in-order: termination is initiated before the process is requested': on(
    'switch-loss',
    { outcome: 'completed' },
    before(`${leave}.requested`, `${leave}.termination.initiated`),
  ),
  'leave-in-order: a completed process is cancelled': on(
    'house-move',
    {},
    followedBy(`${leave}.cancelled`, `${leave}.completed`, 'v2'),
  ),
  'leave-in-order: a completed process continues': on(
    'switch-loss',
    { outcome: 'completed' },
    again(`${leave}.await-pre-termination-flow-step.initiated`),
  ),
  'leave-supply-points-in-order: the process is completed before its supply point': on(
    'house-move',
    {},
    before(`${leave}.termination.confirmed`, `${leave}.completed`),
  ),
  'leave-versions-agree: one version says another end of supply': on(
    'house-move',
    {},
    changed(`${leave}.requested`, { requested_supply_end_date: '2026-12-24' }, 'v3'),
  ),
  'supply-ends-on-one-day: the loss is complete on another day than is confirmed': on(
    'switch-loss',
    { outcome: 'completed' },
    changed('industry.electricity.change_of_supply.loss.complete', {
      supply_end_date: '2026-12-24',
    }),
  ),
  'one-final-bill: there are two': on('house-move', {}, again('billing.final_bill')),
  'one-final-bill: it comes after two months': on(
    'switch-loss',
    { outcome: 'completed' },
    late('billing.final_bill', 60),
  ),
  'one-final-bill: it never comes, while others get theirs and some come back': on(
    ['house-move', 'switch-loss', 'debt-path'],
    { account: 'new', outcome: 'reversed', end: 'terminated' },
    (events) => {
      const lost = events.find(({ type }) => type === 'billing.final_bill');
      return events.filter((event) => event !== lost);
    },
    3,
  ),
  'import-in-order: the rehearsal comes after the run': on(
    'data-import-account',
    { outcome: 'completed' },
    late(`${imported}.dry_run_complete`),
  ),
  'import-in-order: a complete import fails': on(
    'data-import-account',
    { outcome: 'completed' },
    followedBy(`${imported}.error`, `${imported}.complete`),
  ),
  'import-in-order: the rest comes before the account': on(
    'data-import-account',
    { outcome: 'completed', later: 'completed' },
    before(`${imported}.complete`, `${imported}.post_import.completed`),
  ),
  'imported-order-ends-once: a complete order fails': on(
    'data-import-order',
    { outcome: 'completed' },
    followedBy('data_import.order_process.error', 'data_import.order_process.complete'),
  ),
  'imported-account-is-marked: the account is created like any other': on(
    'data-import-account',
    { outcome: 'completed' },
    changed('account.created', { is_imported: false }),
  ),
  'meter-details-before-dispute: the loss is confirmed before the details came': on(
    'join-switch-gain',
    { outcome: 'completed', 'meter-details': 'received' },
    all(
      followedBy('meterpoint.gas.cos_loss.confirmed', 'meterpoint.gas.cos_gain.mtd_received'),
      before('meterpoint.gas.cos_gain.mtd_received', 'meterpoint.gas.cos_loss.confirmed'),
    ),
    5,
  ),
  'gas-meter-constant: what is sent again is another meter': on(
    'join-switch-gain',
    { outcome: 'completed', 'meter-details': 'received' },
    all(
      followedBy('meterpoint.gas.backfill', 'meterpoint.gas.cos_gain.mtd_received'),
      changed('meterpoint.gas.backfill', { meter_serial_number: 'OTHER' }),
    ),
    5,
  ),
  'one-acceptance-per-dispute: both sides accept': on(
    'gas-disputed-closing',
    { 'started-by': 'us', outcome: 'accepted' },
    followedBy(`${closing}.accepted.by_us`, `${closing}.accepted.other_supplier`),
  ),
  'one-acceptance-per-dispute: it is accepted before it is started': on(
    'gas-disputed-closing',
    { 'started-by': 'us', outcome: 'accepted' },
    before(`${closing}.started.by_us`, `${closing}.accepted.other_supplier`),
  ),
  'account-metadata-in-order: a note is changed after it was removed': on(
    'psr-and-preferences',
    { topic: 'account-note', note: 'updated-then-removed' },
    again('account_metadata.updated'),
  ),
  'user-metadata-in-order: a note is removed twice': on(
    'psr-and-preferences',
    { topic: 'user-note', note: 'updated-then-removed' },
    again('account_user_metadata.removed'),
  ),
  'account-property-period-metadata-in-order: a note is changed before it is made': on(
    'house-move',
    { forwarding: 'updated-then-removed' },
    before(
      'account_property_effective_period_metadata.created',
      'account_property_effective_period_metadata.updated',
    ),
  ),
};

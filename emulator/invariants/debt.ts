import { comparing, comparingWithTruth } from './comparing.js';
import { type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier, number } from './payload.js';

export const debtInvariants: readonly Invariant[] = [
  comparing<{ readonly at: number; readonly from: number; readonly to: number }>({
    name: 'debt-position-follows',
    statement:
      'The `previous_value` of `delinquent_debt.position_changed` is the last `new_value` of its ledger.',
    entity: 'ledger',
    of: (event) =>
      event.type === 'delinquent_debt.position_changed' ? identifier(event, 'ledger_number') : undefined,
    see(event, before, at) {
      const [from, to] = [number(event, 'previous_value'), number(event, 'new_value')];
      if (from === undefined || to === undefined) return {};
      // Another version of the same event.
      if (at === before?.at && from === before.from) return {};
      const isOther = before !== undefined && before.to !== from;
      return { keep: { at, from, to }, what: isOther && 'changes from another position than its last' };
    },
  }),
  comparingWithTruth<number>({
    name: 'allocations-within-payment',
    statement: 'The allocations of a payment total at most its amount.',
    entity: 'ledger entry',
    of: (event) =>
      event.type === 'delinquent_debt.allocation_created'
        ? identifier(event, 'fulfilment', 'source_identifier')
        : undefined,
    see(event, before = 0, _at, truth) {
      const sum = before + (number(event, 'amount') ?? 0);
      const { amount = sum } = truth.entry(identifier(event, 'fulfilment', 'source_identifier') ?? '') ?? {};
      return { keep: sum, what: sum > amount && 'has more allocated than its amount' };
    },
  }),
];

export const dunningInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'dunning-in-order',
    statement: 'A dunning process is started, paused and unpaused any number of times, then withdrawn.',
    entity: 'dunning process',
    of: (event) => identifier(event, 'dunning_process_id'),
    begins: { dunning_path_started: 'running' },
    moves: {
      dunning_path_paused: { from: ['running'], to: 'paused' },
      dunning_path_unpaused: { from: ['paused'], to: 'running' },
      dunning_path_withdrawn: { from: ['running', 'paused'], to: 'withdrawn' },
    },
  }),
  comparing<string>({
    name: 'one-dunning-process',
    statement:
      'An account has at most one dunning process at a time, with one `dunning_process_id` from start to withdrawal.',
    entity: 'account',
    of: (event) => (event.type.startsWith('dunning_path_') ? identifier(event, 'account_number') : undefined),
    see(event, open) {
      const id = identifier(event, 'dunning_process_id');
      if (id === undefined) return {};
      const isEnd = event.type === 'dunning_path_withdrawn';
      const keep = isEnd ? (open === id ? undefined : open) : id;
      if (open === undefined || open === id) return { keep };
      const certain = unlessFiltered('dunning_path_withdrawn');
      return { keep, entity: `dunning process "${id}"`, what: 'overlaps another of its account', certain };
    },
  }),
  lifecycle({
    name: 'collection-in-order',
    statement:
      'A collection process is raised, may be paused and unpaused, and may request the end of supply. After its withdrawal it can only be reactivated.',
    entity: 'collection process',
    of: (event) => identifier(event, 'number') ?? identifier(event, 'collection_process_number'),
    begins: { 'collection_process.raised': 'raised' },
    moves: {
      'collection_process.comm_step_resolved': { from: ['raised', 'paused', 'terminating'] },
      'collection_process.paused': { from: ['raised', 'terminating'], to: 'paused' },
      'collection_process.unpaused': { from: ['paused'], to: 'raised' },
      'collection_process.run_termination_requested': { from: ['raised'], to: 'terminating' },
      'collection_process.leave_supplier_instigated': { from: ['terminating'] },
      'collection_process.reactivated': { from: ['terminating', 'withdrawn'], to: 'raised' },
      'collection_process.withdrawn': { from: ['raised', 'paused', 'terminating'], to: 'withdrawn' },
    },
  }),
];

export const feeInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'late-fees-in-order',
    statement:
      'Late payment fees are calculated, then applied. Each service starts before its first fee and completes after its last, with one `run_id`.',
    entity: 'late fee run',
    of: (event) => identifier(event, 'run_id'),
    begins: {
      late_payment_fee_calculation_service_started: 'calculating',
      late_payment_fee_calculator_started: 'calculating and applying',
    },
    moves: {
      late_payment_fee_calculation_service_completed: { from: ['calculating'], to: 'calculated' },
      late_payment_fee_application_service_started: { from: ['calculated'], to: 'applying' },
      late_payment_fee_application_service_fee_applied: { from: ['applying'] },
      late_payment_fee_application_service_completed: { from: ['applying'], to: 'done' },
      late_payment_fee_calculator_fee_applied: { from: ['calculating and applying'] },
      late_payment_fee_calculator_completed: { from: ['calculating and applying'], to: 'done' },
    },
  }),
  comparing<number>({
    name: 'late-fees-counted',
    statement: 'A run of late payment fees completes with the number of its applied fees.',
    entity: 'late fee run',
    of: (event) => identifier(event, 'run_id'),
    // Counts the fees of runs whose start is in the stream.
    see(event, count) {
      if (started.includes(event.type)) return { keep: 0 };
      if (count === undefined) return {};
      if (Object.values(applied).includes(event.type)) return { keep: count + 1 };
      const counted = applied[event.type];
      const total = number(event, 'fees_applied_count');
      if (counted === undefined || total === undefined) return {};
      const what = total !== count && 'completes with another number of fees than it applied';
      return { keep: undefined, what, certain: unlessFiltered(counted) };
    },
  }),
  // Remembers the overdue debt of an account.
  comparing<number>({
    name: 'late-fees-for-overdue-debt',
    statement: 'A late payment fee is applied while debt of its account is overdue.',
    entity: 'account',
    of: (event) =>
      event.type === 'delinquent_debt.position_changed' || Object.values(applied).includes(event.type)
        ? identifier(event, 'account_number')
        : undefined,
    see(event, overdue) {
      if (event.type === 'delinquent_debt.position_changed') return { keep: number(event, 'new_value') };
      return { what: overdue === 0 && 'is charged for paying late without overdue debt' };
    },
  }),
];

const applied: Readonly<Record<string, string>> = {
  late_payment_fee_application_service_completed: 'late_payment_fee_application_service_fee_applied',
  late_payment_fee_calculator_completed: 'late_payment_fee_calculator_fee_applied',
};

const started: readonly string[] = [
  'late_payment_fee_application_service_started',
  'late_payment_fee_calculator_started',
];

export const depositInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'deposit-in-order',
    statement:
      'A deposit is accepted, then fulfilled or withdrawn, never both. A fulfilled deposit is returned once, in whole or in instalments.',
    entity: 'deposit',
    of: (event) => identifier(event, 'deposit_key'),
    begins: { 'deposit_agreement.accepted': 'accepted' },
    moves: {
      'deposit_agreement.withdrawn': { from: ['accepted'], to: 'withdrawn' },
      'deposit_agreement.fulfilled': { from: ['accepted'], to: 'fulfilled' },
      'deposit_agreement.instalment_returned': { from: ['fulfilled', 'in return'], to: 'in return' },
      'deposit_agreement.returned': { from: ['fulfilled'], to: 'returned' },
    },
  }),
  comparing<DepositState>({
    name: 'deposit-instalments-add-up',
    statement:
      'The amount of a deposit never changes. Its returned instalments never exceed the amount, and total it in the end.',
    entity: 'deposit',
    of: (event) =>
      event.type.startsWith('deposit_agreement.') ? identifier(event, 'deposit_key') : undefined,
    see(event, before) {
      const amount = number(event, 'amount');
      if (amount === undefined) return {};
      const isInstalment = event.type === instalment;
      const part = isInstalment ? (number(event, 'returned_amount') ?? 0) : 0;
      const returned = (before?.returned ?? 0) + part;
      const isWhole = before?.isWhole ?? !isInstalment;
      const keep = { amount, returned, isWhole, last: { ...event, payload: undefined } };
      if (before !== undefined && before.amount !== amount) {
        return { keep, what: 'has another amount than before' };
      }
      return { keep, what: returned > amount && 'is returned with more than its amount' };
    },
    end({ isWhole, returned, amount, last }) {
      if (!isWhole || returned === 0 || returned >= amount) return undefined;
      return { event: last, what: 'is not returned in full', certain: unlessFiltered(instalment) };
    },
  }),
];

const instalment = 'deposit_agreement.instalment_returned';

interface DepositState {
  readonly amount: number;
  readonly returned: number;
  /** Whether all instalments are in the stream. */
  readonly isWhole: boolean;
  readonly last: StreamEvent;
}

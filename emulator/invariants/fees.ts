import { comparing } from './comparing.js';
import { type Invariant, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier, number } from './payload.js';

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
];

const applied: Readonly<Record<string, string>> = {
  late_payment_fee_application_service_completed: 'late_payment_fee_application_service_fee_applied',
  late_payment_fee_calculator_completed: 'late_payment_fee_calculator_fee_applied',
};

const started: readonly string[] = [
  'late_payment_fee_application_service_started',
  'late_payment_fee_calculator_started',
];

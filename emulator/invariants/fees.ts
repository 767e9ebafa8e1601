import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
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
  {
    name: 'late-fees-counted',
    statement: 'A run of late payment fees completes with the number of its applied fees.',
    proof: 'stream',
    start: watchCounts,
  },
];

const applied: Readonly<Record<string, string>> = {
  late_payment_fee_application_service_completed: 'late_payment_fee_application_service_fee_applied',
  late_payment_fee_calculator_completed: 'late_payment_fee_calculator_fee_applied',
};

const started: readonly string[] = [
  'late_payment_fee_application_service_started',
  'late_payment_fee_calculator_started',
];

/** Counts the fees of runs whose start is in the stream. */
function watchCounts() {
  const runs = new BoundedMap<number>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = identifier(event, 'run_id');
    if (id === undefined) return noFindings;
    if (started.includes(event.type)) {
      runs.set(id, 0);
      return noFindings;
    }
    const count = runs.get(id);
    if (count === undefined) return noFindings;
    if (Object.values(applied).includes(event.type)) {
      runs.set(id, count + 1);
      return noFindings;
    }
    const counted = applied[event.type];
    const total = number(event, 'fees_applied_count');
    if (counted === undefined || total === undefined) return noFindings;
    runs.forget(id);
    if (total === count) return noFindings;
    const certain = unlessFiltered(counted);
    return [
      {
        event,
        entity: `late fee run "${id}"`,
        what: 'completes with another number of fees than it applied',
        certain,
      },
    ];
  }
  return { see };
}

import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { identifier, number } from './payload.js';

export const feeInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'late-fees-in-order',
    statement:
      'Late payment fees are calculated, then applied: each service starts before it applies fees and completes after the last, all with one `run_id`.',
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
    statement: 'A run of late payment fees completes with the number of fees that it applied.',
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

/** Runs whose start was seen: all of their fees are in the stream. */
function watchCounts() {
  const runs = new Memory<number>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = identifier(event, 'run_id');
    if (id === undefined) return fine;
    if (started.includes(event.type)) {
      runs.set(id, 0);
      return fine;
    }
    const count = runs.get(id);
    if (count === undefined) return fine;
    if (Object.values(applied).includes(event.type)) {
      runs.set(id, count + 1);
      return fine;
    }
    const counted = applied[event.type];
    const said = number(event, 'fees_applied_count');
    if (counted === undefined || said === undefined) return fine;
    runs.forget(id);
    if (said === count) return fine;
    const certain = unlessFiltered(counted);
    return [{ event, entity: `late fee run "${id}"`, what: 'counts other fees than it applied', certain }];
  }
  return { see };
}

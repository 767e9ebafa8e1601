import { comparing } from './comparing.js';
import { type Finding, type Invariant, noFindings, type StreamEvent, unlessFiltered } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { day, identifier } from './payload.js';

export const finalBills = comparing<Leaver>({
  name: 'one-final-bill',
  statement:
    'An account that has left gets one `billing.final_bill` within six weeks, unless it returns before that.',
  entity: 'account',
  of: (event) => (changes[event.type] === undefined ? undefined : identifier(event, 'account_number')),
  see(event, before, at) {
    const state = changes[event.type] ?? 'back';
    // Accounts are remembered for long, so without the payload.
    const keep = { state, at, event: { ...event, payload: undefined } };
    if (state !== 'billed') return { keep };
    if (before?.state === 'billed') {
      const certain = unlessFiltered('lifecycle.leave-supplier.completed');
      return { keep, what: 'gets a second final bill', certain };
    }
    const isLate = before?.state === 'left' && at - before.at > sixWeeks;
    return { keep, what: isLate && 'gets its final bill more than six weeks after it left' };
  },
  end({ state, at, event }, latest) {
    if (state !== 'left' || latest - at <= sixWeeks) return undefined;
    return { event, what: 'has no final bill', certain: unlessFiltered(...Object.keys(changes)) };
  },
});

export const finalBillToTheEnd: Invariant = {
  name: 'final-bill-to-the-end',
  statement:
    'By its final bill, an account is charged for energy at every supply point that it has left, up to the end of supply.',
  proof: 'world',
  start(truth) {
    /** End of supply by supply point, by account. */
    const left = new BoundedMap<Map<string, string>>();
    function see(event: StreamEvent): readonly Finding[] {
      const id = identifier(event, 'account_number');
      if (id === undefined) return noFindings;
      if (event.type === 'lifecycle.leave-supplier.termination.confirmed') {
        const point = identifier(event, 'supply_point', 'external_identifier');
        const on = day(event, 'supply_point', 'confirmed_supply_end_date');
        if (point === undefined || on === undefined) return noFindings;
        left.set(id, new Map(left.get(id)).set(point, on));
      }
      if (event.type === 'lifecycle.leave-supplier.reversal-requested') left.forget(id);
      if (event.type !== 'billing.final_bill') return noFindings;
      const isShort = [...(left.get(id) ?? [])].some(([point, on]) => {
        const to = truth.chargedTo(id, point);
        return to !== undefined && to < on;
      });
      left.forget(id);
      const what = 'is not charged up to the end of supply by its final bill';
      return isShort ? [{ event, entity: `account "${id}"`, what }] : noFindings;
    }
    return { see };
  },
};

/** State of an account after an event. */
const changes: Readonly<Record<string, Leaver['state']>> = {
  'lifecycle.leave-supplier.completed': 'left',
  'lifecycle.leave-supplier.reversal-requested': 'back',
  'lifecycle.join-supplier.completed': 'back',
  'account.reactivated': 'back',
  'billing.final_bill': 'billed',
};

interface Leaver {
  readonly state: 'left' | 'back' | 'billed';
  readonly at: number;
  readonly event: StreamEvent;
}

const sixWeeks = 42 * 24 * 3_600_000;

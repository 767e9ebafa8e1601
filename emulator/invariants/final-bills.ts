import { type Finding, type Invariant, noFindings, type StreamEvent, unlessFiltered } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { day, identifier, occurred } from './payload.js';

export const finalBills: Invariant = {
  name: 'one-final-bill',
  statement:
    'An account that has left gets one `billing.final_bill` within six weeks, unless it returns before that.',
  proof: 'stream',
  start() {
    const accounts = new BoundedMap<Leaver>();
    let latest = 0;
    function see(event: StreamEvent): readonly Finding[] {
      const at = occurred(event);
      latest = Math.max(latest, at);
      const change = changes[event.type];
      const id = change === undefined ? undefined : identifier(event, 'account_number');
      if (change === undefined || id === undefined) return noFindings;
      const before = accounts.get(id);
      if (before !== undefined && at < before.at) return noFindings;
      // Accounts are remembered for long, so without the payload.
      accounts.set(id, { state: change, at, event: { ...event, payload: undefined } });
      if (change !== 'billed') return noFindings;
      const entity = `account "${id}"`;
      if (before?.state === 'billed') {
        const certain = unlessFiltered('lifecycle.leave-supplier.completed');
        return [{ event, entity, what: 'gets a second final bill', certain }];
      }
      const isLate = before?.state === 'left' && at - before.at > sixWeeks;
      const what = 'gets its final bill more than six weeks after it left';
      return isLate ? [{ event, entity, what }] : noFindings;
    }
    function end(complete: boolean): readonly Finding[] {
      if (!complete) return noFindings;
      const certain = unlessFiltered(...Object.keys(changes));
      return [...accounts.entries()]
        .filter(([, { state, at }]) => state === 'left' && latest - at > sixWeeks)
        .map(([id, { event }]) => ({ event, entity: `account "${id}"`, what: 'has no final bill', certain }));
    }
    return { see, end };
  },
};

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

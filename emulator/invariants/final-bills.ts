import {
  type Finding,
  fine,
  type StreamEvent,
  type StreamInvariant,
  unlessFiltered,
  type WorldInvariant,
} from './invariant.js';
import { Memory } from './memory.js';
import { day, identifier, occurred } from './payload.js';

/** An account that has left gets its final bill: one, and in time. */
export const finalBills: StreamInvariant = {
  name: 'one-final-bill',
  statement:
    'An account that has left gets one `billing.final_bill`, within six weeks, unless it comes back before that.',
  proof: 'stream',
  start() {
    const accounts = new Memory<Leaver>();
    let present = 0;
    function see(event: StreamEvent): readonly Finding[] {
      const at = occurred(event);
      present = Math.max(present, at);
      const change = changes[event.type];
      const id = change === undefined ? undefined : identifier(event, 'account_number');
      if (change === undefined || id === undefined) return fine;
      const before = accounts.get(id);
      if (before !== undefined && at < before.at) return fine;
      if (change !== 'billed') {
        accounts.set(id, { state: change, at, event: brief(event) });
        return fine;
      }
      accounts.set(id, { state: 'billed', at, event: brief(event) });
      const entity = `account "${id}"`;
      if (before?.state === 'billed') {
        const certain = unlessFiltered('lifecycle.leave-supplier.completed');
        return [{ event, entity, what: 'has had its final bill', certain }];
      }
      const isLate = before?.state === 'left' && at - before.at > sixWeeks;
      return isLate
        ? [{ event, entity, what: 'gets its final bill more than six weeks after it left' }]
        : fine;
    }
    function end(complete: boolean): readonly Finding[] {
      if (!complete) return fine;
      const forgotten: Finding[] = [];
      for (const [id, { state, at, event }] of accounts.entries()) {
        if (state !== 'left' || present - at <= sixWeeks) continue;
        const certain = unlessFiltered(...Object.keys(changes));
        forgotten.push({ event, entity: `account "${id}"`, what: 'got no final bill', certain });
      }
      return forgotten;
    }
    return { see, end };
  },
};

/** With its final bill, an account has paid for, or owes, all that it used. */
export const finalBillToTheEnd: WorldInvariant = {
  name: 'final-bill-to-the-end',
  statement:
    'With its final bill, an account is charged for energy at every supply point that it has left, up to the day on which its supply ended.',
  proof: 'world',
  start(truth) {
    /** Of each account, the supply points that it left, with that day. */
    const left = new Memory<Map<string, string>>();
    function see(event: StreamEvent): readonly Finding[] {
      const id = identifier(event, 'account_number');
      if (id === undefined) return fine;
      if (event.type === 'lifecycle.leave-supplier.termination.confirmed') {
        const point = identifier(event, 'supply_point', 'external_identifier');
        const on = day(event, 'supply_point', 'confirmed_supply_end_date');
        if (point === undefined || on === undefined) return fine;
        left.set(id, new Map(left.get(id)).set(point, on));
      }
      if (event.type === 'lifecycle.leave-supplier.reversal-requested') left.forget(id);
      if (event.type !== 'billing.final_bill') return fine;
      const isShort = [...(left.get(id) ?? [])].some(([point, on]) => {
        const to = truth.chargedTo(id, point);
        return to !== undefined && to < on;
      });
      left.forget(id);
      const what = 'gets its final bill, and days before the end of supply are not charged';
      return isShort ? [{ event, entity: `account "${id}"`, what }] : fine;
    }
    return { see };
  },
};

/** What an event makes of an account, for its final bill. */
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

/** The event without what it carries, which would be kept for long. */
function brief({ id, type, version, occurredAt }: StreamEvent): StreamEvent {
  return { id, type, version, occurredAt, payload: undefined };
}

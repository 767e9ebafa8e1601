import { comparing, comparingWithTruth } from './comparing.js';
import { type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { day, flag, identifier, instant, supplyPoints } from './payload.js';
import { supplyPointsInTime } from './supply-points.js';

const finalBills = comparing<Leaver>({
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

// Remembers the ends of supply of an account, by supply point.
const finalBillToTheEnd = comparingWithTruth<ReadonlyMap<string, string>>({
  name: 'final-bill-to-the-end',
  statement:
    'By its final bill, an account is charged for energy at every supply point that it has left, up to the end of supply.',
  entity: 'account',
  of: (event) => identifier(event, 'account_number'),
  see(event, left = new Map(), _at, truth) {
    switch (event.type) {
      case 'lifecycle.leave-supplier.termination.confirmed': {
        const point = identifier(event, 'supply_point', 'external_identifier');
        const on = day(event, 'supply_point', 'confirmed_supply_end_date');
        return point === undefined || on === undefined ? {} : { keep: new Map(left).set(point, on) };
      }
      case 'lifecycle.leave-supplier.reversal-requested':
        return { keep: undefined };
      case 'billing.final_bill': {
        const id = identifier(event, 'account_number') ?? '';
        const isShort = [...left].some(([point, on]) => (truth.chargedTo(id, point) ?? on) < on);
        const what = isShort && 'is not charged up to the end of supply by its final bill';
        return { keep: undefined, what };
      }
      default:
        return {};
    }
  },
});

const open = { from: ['open', 'cancelling'] } as const;

export const leaveInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'leave-in-order',
    statement:
      'A leaving process begins with `requested` and is completed or cancelled, never both. After its end it can only be reversed.',
    entity: 'leaving process',
    of: (event) => identifier(event, 'leave_supplier_process_number'),
    begins: { 'lifecycle.leave-supplier.requested': 'open' },
    moves: {
      'lifecycle.leave-supplier.updated': open,
      'lifecycle.leave-supplier.await-pre-termination-flow-step.initiated': open,
      'lifecycle.leave-supplier.supply-point-journey-await-pre-termination-flow-step.initiated': open,
      'lifecycle.leave-supplier.termination.initiated': open,
      'lifecycle.leave-supplier.supply-point-journey-await-pre-agreement-termination-flow-step.initiated':
        open,
      'lifecycle.leave-supplier.termination.confirmed': open,
      'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated': open,
      'lifecycle.leave-supplier.await-post-termination-flow-step.initiated': open,
      'lifecycle.leave-supplier.await-post-deactivation-flow-step.initiated': open,
      'lifecycle.leave-supplier.cancellation-requested': { from: ['open'], to: 'cancelling' },
      'lifecycle.leave-supplier.cancelled': { ...open, to: 'cancelled' },
      'lifecycle.leave-supplier.completed': { ...open, to: 'completed' },
      'lifecycle.leave-supplier.reversal-requested': { from: ['completed'], to: 'reversing' },
    },
  }),
  supplyPointsInTime({
    name: 'leave-supply-points-in-order',
    statement:
      'The termination of each supply point of a leaving process is initiated, then confirmed. The process completes after the last of them.',
    entity: 'leaving process',
    of: (event) => identifier(event, 'leave_supplier_process_number'),
    requested: 'lifecycle.leave-supplier.requested',
    begun: 'lifecycle.leave-supplier.termination.initiated',
    done: 'lifecycle.leave-supplier.termination.confirmed',
    completed: 'lifecycle.leave-supplier.completed',
  }),
  // Compares the common content of the versions of each process's last event.
  comparing<{ readonly type: string; readonly at: number; readonly content: string }>({
    name: 'leave-versions-agree',
    statement: 'Versions v2 and v3 of `lifecycle.leave-supplier.requested` and `.updated` agree.',
    entity: 'leaving process',
    of: (event) =>
      versioned.includes(event.type) ? identifier(event, 'leave_supplier_process_id') : undefined,
    see(event, before, at) {
      const { type } = event;
      const content = JSON.stringify([
        identifier(event, 'account_number'),
        day(event, 'requested_supply_end_date'),
        instant(event, 'requested_supply_end_at'),
        instant(event, 'requested_at') ?? instant(event, 'updated_at'),
        flag(event, 'is_passive'),
        supplyPoints(event),
      ]);
      const differs = before?.type === type && before.at === at && before.content !== content;
      return { keep: { type, at, content }, what: differs && 'differs between two versions' };
    },
  }),
  comparing<{ readonly on: string; readonly at: number }>({
    name: 'supply-ends-on-one-day',
    statement:
      'All events about the end of a supply point have the same day, unless supply comes back: `cos_loss.confirmed`, `deappoint_mam.requested` for a loss, `loss.complete` and `termination.confirmed`.',
    entity: 'a supply point',
    of: (event) =>
      event.type === 'lifecycle.leave-supplier.reversal-requested'
        ? supplyPoints(event)
        : ends[event.type]?.(event)[0],
    see(event, before, at) {
      const [, on] = ends[event.type]?.(event) ?? [];
      // A supply that has come back can end again.
      if (on === undefined) return { keep: undefined };
      if (before === undefined || Math.abs(at - before.at) > oneLoss) return { keep: { on, at } };
      const what = before.on !== on && 'ends on another day than in an earlier event';
      return { entity: 'a supply point', what };
    },
  }),
  finalBills,
  finalBillToTheEnd,
];

const versioned: readonly string[] = [
  'lifecycle.leave-supplier.requested',
  'lifecycle.leave-supplier.updated',
];

/** Returns supply point and last day, by types of events about the end of a supply point. */
const ends: Readonly<Record<string, (event: StreamEvent) => readonly (string | undefined)[]>> = {
  'meterpoint.gas.cos_loss.confirmed': lossOf,
  'meterpoint.gas.deappoint_mam.requested': (event) =>
    flag(event, 'is_cos_loss') === true ? [identifier(event, 'mprn'), day(event, 'effective_to_date')] : [],
  'industry.gas.change_of_supply.loss.complete': lossOf,
  'industry.electricity.change_of_supply.loss.complete': lossOf,
  'lifecycle.leave-supplier.termination.confirmed': (event) => [
    identifier(event, 'supply_point', 'external_identifier'),
    day(event, 'supply_point', 'confirmed_supply_end_date'),
  ],
};

function lossOf(event: StreamEvent) {
  return [identifier(event, 'mprn') ?? identifier(event, 'mpan'), day(event, 'supply_end_date')];
}

/** Events further apart concern different losses. Milliseconds. */
const oneLoss = 30 * 24 * 3_600_000;

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

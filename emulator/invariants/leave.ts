import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine } from './invariant.js';
import { finalBills, finalBillToTheEnd } from './final-bills.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { asIdentifier, day, flag, identifier, instant, list, member, occurred } from './payload.js';
import { supplyPointsInTime } from './supply-points.js';

const open = ['open', 'cancelling'] as const;

export const leaveInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'leave-in-order',
    statement:
      'A leaving process begins with `requested` and ends completed or cancelled, never both; nothing but a reversal happens to it after its end.',
    entity: 'leaving process',
    of: (event) => identifier(event, 'leave_supplier_process_number'),
    begins: { 'lifecycle.leave-supplier.requested': 'open' },
    moves: {
      'lifecycle.leave-supplier.updated': { from: open },
      'lifecycle.leave-supplier.await-pre-termination-flow-step.initiated': { from: open },
      'lifecycle.leave-supplier.supply-point-journey-await-pre-termination-flow-step.initiated': {
        from: open,
      },
      'lifecycle.leave-supplier.termination.initiated': { from: open },
      'lifecycle.leave-supplier.supply-point-journey-await-pre-agreement-termination-flow-step.initiated': {
        from: open,
      },
      'lifecycle.leave-supplier.termination.confirmed': { from: open },
      'lifecycle.leave-supplier.supply-point-journey-await-post-termination-flow-step.initiated': {
        from: open,
      },
      'lifecycle.leave-supplier.await-post-termination-flow-step.initiated': { from: open },
      'lifecycle.leave-supplier.await-post-deactivation-flow-step.initiated': { from: open },
      'lifecycle.leave-supplier.cancellation-requested': { from: ['open'], to: 'cancelling' },
      'lifecycle.leave-supplier.cancelled': { from: open, to: 'cancelled' },
      'lifecycle.leave-supplier.completed': { from: open, to: 'completed' },
      'lifecycle.leave-supplier.reversal-requested': { from: ['completed'], to: 'reversing' },
    },
  }),
  supplyPointsInTime({
    name: 'leave-supply-points-in-order',
    statement:
      'Termination of each supply point of a leaving process is initiated before it is confirmed, and the process is completed only after the last of its supply points.',
    entity: 'leaving process',
    of: (event) => identifier(event, 'leave_supplier_process_number'),
    requested: 'lifecycle.leave-supplier.requested',
    begun: 'lifecycle.leave-supplier.termination.initiated',
    done: 'lifecycle.leave-supplier.termination.confirmed',
    completed: 'lifecycle.leave-supplier.completed',
  }),
  {
    name: 'leave-versions-agree',
    statement: 'Versions v2 and v3 of `lifecycle.leave-supplier.requested` and `.updated` say the same.',
    proof: 'stream',
    start: watchVersions,
  },
  {
    name: 'supply-ends-on-one-day',
    statement:
      'All that is said about the end of a supply point names the same day: `cos_loss.confirmed`, `deappoint_mam.requested` for a loss, `loss.complete` and `termination.confirmed`.',
    proof: 'stream',
    start: watchEnds,
  },
  finalBills,
  finalBillToTheEnd,
];

const told: readonly string[] = ['lifecycle.leave-supplier.requested', 'lifecycle.leave-supplier.updated'];

/** The last telling of each process, as far as its versions have it in common. */
function watchVersions() {
  const last = new Memory<{ readonly type: string; readonly at: number; readonly said: string }>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = told.includes(event.type) ? identifier(event, 'leave_supplier_process_id') : undefined;
    if (id === undefined) return fine;
    const { type } = event;
    const at = occurred(event);
    const before = last.get(id);
    const said = JSON.stringify([
      identifier(event, 'account_number'),
      day(event, 'requested_supply_end_date'),
      instant(event, 'requested_supply_end_at'),
      instant(event, 'requested_at') ?? instant(event, 'updated_at'),
      flag(event, 'is_passive'),
      list(event, 'supply_points').map((point) => asIdentifier(member(point, 'external_identifier'))),
    ]);
    last.set(id, { type, at, said });
    if (before?.type !== type || before.at !== at || before.said === said) return fine;
    return [{ event, entity: `leaving process "${id}"`, what: 'is told differently by two versions' }];
  }
  return { see };
}

/** What says on which day a supply point ends: the supply point, then the day. */
const ends: Readonly<Record<string, (event: StreamEvent) => readonly (string | undefined)[]>> = {
  'meterpoint.gas.cos_loss.confirmed': (event) => [identifier(event, 'mprn'), day(event, 'supply_end_date')],
  'meterpoint.gas.deappoint_mam.requested': (event) =>
    flag(event, 'is_cos_loss') === true ? [identifier(event, 'mprn'), day(event, 'effective_to_date')] : [],
  'industry.gas.change_of_supply.loss.complete': (event) => [
    identifier(event, 'mprn'),
    day(event, 'supply_end_date'),
  ],
  'industry.electricity.change_of_supply.loss.complete': (event) => [
    identifier(event, 'mpan'),
    day(event, 'supply_end_date'),
  ],
  'lifecycle.leave-supplier.termination.confirmed': (event) => [
    identifier(event, 'supply_point', 'external_identifier'),
    day(event, 'supply_point', 'confirmed_supply_end_date'),
  ],
};

/** Days within which everything about one loss is said; after that it is another. */
const oneLoss = 30 * 24 * 3_600_000;

function watchEnds() {
  const ended = new Memory<{ readonly on: string; readonly at: number }>();
  function see(event: StreamEvent): readonly Finding[] {
    const [point, on] = ends[event.type]?.(event) ?? [];
    if (point === undefined || on === undefined) return fine;
    const at = occurred(event);
    const before = ended.get(point);
    if (before === undefined || Math.abs(at - before.at) > oneLoss) ended.set(point, { on, at });
    else if (before.on !== on) {
      return [{ event, entity: 'a supply point', what: 'ends on another day than was said before' }];
    }
    return fine;
  }
  return { see };
}

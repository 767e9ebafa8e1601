import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { noFindings, unlessFiltered } from './invariant.js';
import { lifecycle, type Move } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
import { asIdentifier, flag, identifier, member, occurred } from './payload.js';

const opening = 'meterpoint.gas.disputed_opening_reading';
const closing = 'meterpoint.gas.disputed_closing_reading';
const registered = 'meterpoint.gas.cos_gain.registration.requested';
const detailed = 'meterpoint.gas.cos_gain.mtd_received';
const lost = 'meterpoint.gas.cos_loss.confirmed';

type DisputeState = 'new' | 'argued' | 'accepted';
const argued: Move<DisputeState> = { from: ['new', 'argued'], to: 'argued' };
const accepted: Move<DisputeState> = { from: ['new', 'argued'], to: 'accepted' };

export const gasInvariants: readonly Invariant[] = [
  {
    name: 'meter-details-before-dispute',
    statement:
      'The details of a switched gas meter arrive before its readings are disputed and before its loss is confirmed.',
    proof: 'stream',
    start: watchDetails,
  },
  {
    name: 'gas-meter-constant',
    statement: 'Serial number, digits and unit of a gas meter stay the same during our supply.',
    proof: 'stream',
    start: watchMeters,
  },
  lifecycle<DisputeState>({
    name: 'one-acceptance-per-dispute',
    statement:
      'A dispute about a gas reading starts once, with its first event, and is accepted once, with its last.',
    entity: 'dispute',
    of: (event) => identifier(event, 'reference_number'),
    moves: {
      [`${closing}.started.by_us`]: { from: ['new'], to: 'argued' },
      [`${closing}.started.other_supplier`]: { from: ['new'], to: 'argued' },
      [`${closing}.queried.by_us`]: argued,
      [`${closing}.alternative_proposed.by_us`]: argued,
      [`${closing}.alternative_proposed.other_supplier`]: argued,
      [`${closing}.accepted.by_us`]: accepted,
      [`${closing}.accepted.other_supplier`]: accepted,
      [`${opening}.accepted.by_us`]: accepted,
      [`${opening}.accepted.other_supplier`]: accepted,
    },
  }),
];

const aPoint = 'a gas supply point';

function isDispute({ type }: StreamEvent): boolean {
  return type.startsWith(`${opening}.`) || type.startsWith(`${closing}.`);
}

function watchDetails() {
  /** Time of the first dispute or loss since the last registration, by supply point. */
  const settled = new BoundedMap<number>();
  function see(event: StreamEvent): readonly Finding[] {
    const point = identifier(event, 'mprn');
    if (point === undefined) return noFindings;
    const at = occurred(event);
    if (event.type === registered) settled.forget(point);
    else if (event.type === lost || isDispute(event)) settled.set(point, settled.get(point) ?? at);
    else if (event.type === detailed && (settled.get(point) ?? Infinity) < at) {
      const certain = unlessFiltered(registered);
      return [{ event, entity: aPoint, what: 'gets its meter details after a dispute or its loss', certain }];
    }
    return noFindings;
  }
  return { see };
}

interface Meter {
  readonly serial: string | undefined;
  readonly digits: string | undefined;
  readonly isImperial: boolean | undefined;
}

function watchMeters() {
  const meters = new BoundedMap<Meter>();
  function see(event: StreamEvent): readonly Finding[] {
    const point = identifier(event, 'mprn');
    if (point === undefined) return noFindings;
    // Another supplier may have exchanged the meter.
    if (event.type === registered) meters.forget(point);
    const meter: Meter = {
      serial: identifier(event, 'meter_serial_number') ?? identifier(event, 'meter_serial'),
      digits: identifier(event, 'meter_digits'),
      isImperial: flag(event, 'meter_is_imperial') ?? unitOf(event),
    };
    const before = meters.get(point);
    meters.set(point, {
      serial: meter.serial ?? before?.serial,
      digits: meter.digits ?? before?.digits,
      isImperial: meter.isImperial ?? before?.isImperial,
    });
    const names = ['serial', 'digits', 'isImperial'] as const;
    const isOther = names.some((name) => differ(meter[name], before?.[name]));
    if (!isOther) return noFindings;
    const certain = unlessFiltered(registered);
    return [{ event, entity: aPoint, what: 'has another meter than before', certain }];
  }
  return { see };
}

/** Returns whether the unit is imperial: `I` or `M`, in any case. */
function unitOf(event: StreamEvent): boolean | undefined {
  const unit = asIdentifier(member(event.payload, 'meter_imperial_metric_indicator'))?.toUpperCase();
  return unit === 'I' ? true : unit === 'M' ? false : undefined;
}

function differ<T>(a: T | undefined, b: T | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

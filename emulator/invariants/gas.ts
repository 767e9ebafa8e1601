import { comparing } from './comparing.js';
import { type Invariant, type StreamEvent, unlessFiltered } from './invariant.js';
import { lifecycle, type Move } from './lifecycle.js';
import { flag, identifier } from './payload.js';

const opening = 'meterpoint.gas.disputed_opening_reading';
const closing = 'meterpoint.gas.disputed_closing_reading';
const registered = 'meterpoint.gas.cos_gain.registration.requested';
const detailed = 'meterpoint.gas.cos_gain.mtd_received';
const lost = 'meterpoint.gas.cos_loss.confirmed';
/** Findings name no meter point. */
const entity = 'a gas supply point';

type DisputeState = 'new' | 'argued' | 'accepted';
const argued: Move<DisputeState> = { from: ['new', 'argued'], to: 'argued' };
const accepted: Move<DisputeState> = { from: ['new', 'argued'], to: 'accepted' };

export const gasInvariants: readonly Invariant[] = [
  // Remembers the time of the first dispute or loss since the last registration.
  comparing<number>({
    name: 'meter-details-before-dispute',
    statement:
      'The details of a switched gas meter arrive before its readings are disputed and before its loss is confirmed.',
    entity,
    of: (event) => identifier(event, 'mprn'),
    see(event, settled, at) {
      if (event.type === registered) return { keep: undefined };
      if (event.type === lost || isDispute(event)) return { keep: settled ?? at };
      const isLate = event.type === detailed && settled !== undefined && settled < at;
      const what = isLate && 'gets its meter details after a dispute or its loss';
      return { entity, what, certain: unlessFiltered(registered) };
    },
  }),
  comparing<Meter>({
    name: 'gas-meter-constant',
    statement: 'Serial number, digits and unit of a gas meter stay the same during our supply.',
    entity,
    of: (event) => identifier(event, 'mprn'),
    see(event, known) {
      // Another supplier may have exchanged the meter.
      const before = event.type === registered ? undefined : known;
      const meter: Meter = {
        serial: identifier(event, 'meter_serial_number') ?? identifier(event, 'meter_serial'),
        digits: identifier(event, 'meter_digits'),
        isImperial: flag(event, 'meter_is_imperial') ?? unitOf(event),
      };
      const keep = {
        serial: meter.serial ?? before?.serial,
        digits: meter.digits ?? before?.digits,
        isImperial: meter.isImperial ?? before?.isImperial,
      };
      const names = ['serial', 'digits', 'isImperial'] as const;
      const isOther = names.some((name) => differ(meter[name], before?.[name]));
      const what = isOther && 'has another meter than before';
      return { keep, entity, what, certain: unlessFiltered(registered) };
    },
  }),
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

function isDispute({ type }: StreamEvent): boolean {
  return type.startsWith(`${opening}.`) || type.startsWith(`${closing}.`);
}

interface Meter {
  readonly serial: string | undefined;
  readonly digits: string | undefined;
  readonly isImperial: boolean | undefined;
}

/** Returns whether the unit is imperial: `I` or `M`, in any case. */
function unitOf(event: StreamEvent): boolean | undefined {
  const unit = identifier(event, 'meter_imperial_metric_indicator')?.toUpperCase();
  return unit === 'I' ? true : unit === 'M' ? false : undefined;
}

function differ<T>(a: T | undefined, b: T | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

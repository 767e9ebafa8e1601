import { hour, type Instant, minute } from '../engine/time.js';

/** Input of a charging plan. All values are whole numbers, which rules out rounding differences. */
interface Charging {
  /** Usable capacity of the battery, in Wh. */
  readonly capacity: number;
  /** Power of the charger, in W. */
  readonly power: number;
  /** Energy in the battery, in Wh. */
  readonly energy: number;
  /** Target state of charge, in percent of the capacity. */
  readonly target: number;
}

/** A span of charging at full power. */
export interface PlannedDispatch {
  readonly begin: Instant;
  readonly end: Instant;
}

const halfHour = 30 * minute;

/**
 * Plans charging in the cheapest half hours of the span until the target is reached, or for all of the span if that is
 * not enough. It compares prices in blocks of two hours, which keeps the spans few: four in fifteen hours.
 * @param price Returns the price of the block that begins at the instant.
 */
export function planCharging(
  charging: Charging,
  span: { readonly from: Instant; readonly to: Instant },
  price: (at: Instant) => number,
): PlannedDispatch[] {
  const first = Math.ceil(span.from / halfHour) * halfHour;
  const blocks: { begin: Instant; end: Instant; price: number }[] = [];
  for (let begin = first; begin + halfHour <= span.to; begin += 2 * hour) {
    const end = Math.min(begin + 2 * hour, Math.floor(span.to / halfHour) * halfHour);
    blocks.push({ begin, end, price: price(begin) });
  }
  blocks.sort((a, b) => a.price - b.price || a.begin - b.begin);

  const wanted = Math.ceil((charging.target * charging.capacity) / 100) - charging.energy;
  let missing = Math.ceil(wanted / delivered(charging.power, halfHour));
  const chosen: PlannedDispatch[] = [];
  for (const { begin, end } of blocks) {
    if (missing <= 0) break;
    const length = Math.min(missing * halfHour, end - begin);
    chosen.push({ begin, end: begin + length });
    missing -= length / halfHour;
  }
  return merge(chosen.sort((a, b) => a.begin - b.begin));
}

/** Returns the energy in the battery at that instant in Wh, at most the target, if it is charged by the plan. */
export function energyAt(charging: Charging, plan: readonly PlannedDispatch[], at: Instant): number {
  const charged = plan.reduce(
    (sum, { begin, end }) => sum + delivered(charging.power, Math.max(0, Math.min(end, at) - begin)),
    charging.energy,
  );
  const full = Math.ceil((charging.target * charging.capacity) / 100);
  return Math.max(charging.energy, Math.min(full, charged));
}

/** Returns the state of charge in percent of the capacity, rounded down. */
export function stateOfCharge(capacity: number, energy: number): number {
  return Math.floor((energy * 100) / capacity);
}

/** Returns the Wh that reach the battery in `time` milliseconds at an efficiency of 92 %. */
function delivered(power: number, time: number): number {
  return Math.floor((power * time * 92) / (100 * hour));
}

function merge(sorted: readonly PlannedDispatch[]): PlannedDispatch[] {
  const merged: PlannedDispatch[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (last?.end === next.begin) merged[merged.length - 1] = { begin: last.begin, end: next.end };
    else merged.push(next);
  }
  return merged;
}

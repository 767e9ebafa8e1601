import type { Calendar } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import type { Scenario } from '../engine/scenario.js';
import type { Start } from '../engine/simulation.js';
import { day, hour, type Instant } from '../engine/time.js';

export interface InstanceStarts<Cell, S extends Scenario<Cell>> {
  readonly seed: number;
  readonly start: Instant;
  readonly calendar: Calendar;
  readonly scenarios: readonly S[];
  /** How many of each scenario. */
  readonly instances: number;
  /** Where they begin to have cells of their own. Default 1. */
  readonly firstCell?: number;
}

/**
 * A given number of instances of each scenario, every instance in a cell of its own (1, 2, ...): the first at once,
 * the others at some time in their hour after that, or in their share of 28 days when there are more than that holds.
 */
export function* instanceStarts<Cell, S extends Scenario<Cell>>(
  options: InstanceStarts<Cell, S>,
): Generator<Start<Cell, S>, void, void> {
  const { seed, start, calendar, scenarios, instances } = options;
  const total = instances * scenarios.length;
  const slot = Math.max(1, Math.floor(Math.min(hour, (28 * day) / total)));
  let earliest = start;
  for (let index = 0; index < total; index++) {
    const scenario = scenarios[index % scenarios.length];
    if (scenario === undefined) return;
    const cell = index + (options.firstCell ?? 1);
    const jitter = index === 0 ? 0 : Math.floor(randomStream(seed, cell, 'start').next() * slot);
    const at = (scenario.calendar ?? calendar).next(
      start + index * slot + jitter,
      scenario.starts ?? 'waking',
    );
    // Scenarios with different windows would otherwise overtake each other.
    earliest = Math.max(earliest, at);
    yield { at: earliest, cell, scenario, ordinal: 1, last: true };
  }
}

import { Newest } from 'busbar/base';
import type { Instant } from '../engine/time.js';
import type { Plan, TimelineStep } from './plan.js';

/** Past and planned steps of a cell. Inputs may change the planned ones. */
export interface CellTimeline {
  /** Current virtual instant. */
  readonly now: Instant;
  /** Steps in order. Those after `now` are planned. */
  readonly steps: readonly CellStep[];
}

/** One step of a cell: an occurrence and its events. */
export interface CellStep {
  readonly at: Instant;
  /** `house-move#1` */
  readonly instance: string;
  readonly step: string;
  readonly type: string;
  /** Versions that are sent, with the ids of their events. */
  readonly versions: readonly { readonly version: string; readonly id: string }[];
  /** Outcomes of the instance, by branch. */
  readonly branches: Readonly<Record<string, string>>;
}

/** Maximum number of past steps: the newest. */
const maxPast = 2_000;
/** Maximum number of planned steps: the first. */
const maxAhead = 12;
/** Maximum number of cells whose steps are kept. */
const maxCells = 8;

/** Milliseconds of virtual time to search ahead: a cell of a population may have no planned step for years. */
export const horizon = 62 * 24 * 3_600_000;

/** The steps of a cell that were played, and the rest. */
interface Followed {
  readonly plan: Plan;
  readonly inputs: number;
  readonly until: Instant;
  readonly rest: Iterator<TimelineStep, void>;
  steps: readonly TimelineStep[];
}

/** Returns the past and the next planned steps of a cell, without the faults of its delivery. */
export type StepsOf = (plan: Plan, cell: number, now: Instant) => readonly TimelineStep[];

/**
 * Returns a function that plays on from the last known step of a cell, unless an input may have changed the planned
 * steps.
 */
export function followCells(): StepsOf {
  const cells = new Newest<number, Followed>(maxCells);
  return (plan, cell, now) => {
    const inputs = plan.inputs.log.length;
    let followed = cells.get(cell);
    if (followed?.plan !== plan || followed.inputs !== inputs || followed.until < now + horizon) {
      const until = now + 2 * horizon;
      followed = { plan, inputs, until, rest: plan.timeline(cell, until), steps: [] };
      cells.set(cell, followed);
    }
    const past = followed.steps.filter(({ at }) => at <= now);
    const ahead = followed.steps.filter(({ at }) => at > now);
    while (ahead.length < maxAhead) {
      const next = followed.rest.next();
      if (next.done) break;
      (next.value.at <= now ? past : ahead).push(next.value);
    }
    followed.steps = [...past.slice(-maxPast), ...ahead];
    return followed.steps.filter(({ at }) => at < now + horizon);
  };
}

export function cellStep({ at, instance, step, occurrence, sent, branches }: TimelineStep): CellStep {
  return { at, instance, step, type: occurrence.type, versions: sent, branches };
}

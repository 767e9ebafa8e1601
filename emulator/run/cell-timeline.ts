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

/** Milliseconds of virtual time to search ahead: a cell of a population may have no planned step for years. */
export const horizon = 62 * 24 * 3_600_000;

/**
 * Returns a function that returns the timeline of a cell, without the faults of its delivery. For the same cell, it plays on
 * from the last known step, unless an input may have changed the planned steps.
 */
export function cellTimelines() {
  let latest:
    | { plan: Plan; key: string; until: Instant; rest: Iterator<TimelineStep, void>; steps: CellStep[] }
    | undefined;
  return (plan: Plan, cell: number, now: Instant): CellTimeline => {
    const key = `${cell} ${plan.inputs.log.length}`;
    if (latest?.plan !== plan || latest.key !== key || latest.until < now + horizon) {
      const until = now + 2 * horizon;
      latest = { plan, key, until, rest: plan.timeline(cell, until), steps: [] };
    }
    const past = latest.steps.filter(({ at }) => at <= now);
    const ahead = latest.steps.filter(({ at }) => at > now);
    while (ahead.length < maxAhead) {
      const next = latest.rest.next();
      if (next.done) break;
      (next.value.at <= now ? past : ahead).push(cellStep(next.value));
    }
    latest.steps = [...past.slice(-maxPast), ...ahead];
    return { now, steps: latest.steps.filter(({ at }) => at < now + horizon) };
  };
}

export function cellStep({ at, instance, step, occurrence, sent, branches }: TimelineStep): CellStep {
  return { at, instance, step, type: occurrence.type, versions: sent, branches };
}

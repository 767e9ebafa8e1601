import type { Instant } from '../engine/time.js';
import { type PlanOptions, playCell } from './plan.js';

/** What a cell goes through: what has occurred up to now, and what comes next unless something comes in between. */
export interface Course {
  /** Virtual instant that the run has reached. */
  readonly now: Instant;
  /** In order; those after `now` are still to come. */
  readonly steps: readonly CourseStep[];
}

export interface CourseStep {
  readonly at: Instant;
  /** `house-move#1` */
  readonly instance: string;
  readonly step: string;
  readonly type: string;
  /** The versions that are sent, and the ids of their events. */
  readonly versions: readonly { readonly version: string; readonly id: string }[];
  /** What was decided for the instance. */
  readonly branches: Readonly<Record<string, string>>;
}

/** The most steps of the past, the newest, and of the future, the first. */
const mostPast = 2_000;
const mostAhead = 12;

/** How far ahead is looked, in virtual milliseconds: an account of a population may have nothing before it for years. */
const horizon = 62 * 24 * 3_600_000;

/**
 * The course of a cell, found by playing it: nothing is kept for this. It says what was to be sent; faults may have
 * kept some of it back.
 * @throws BusbarError as `planRun` does.
 */
export function courseOf(options: PlanOptions, cell: number, now: Instant): Course {
  const { ordering, occurrences } = playCell(options, cell, now + horizon);
  const past: CourseStep[] = [];
  const ahead: CourseStep[] = [];
  for (const { at, place, number, instance, step, occurrence, branches } of occurrences) {
    const versions = occurrence.versions.map(({ version }, index) => ({
      version,
      id: ordering.eventId(at, place, number + index),
    }));
    (at <= now ? past : ahead).push({ at, instance, step, type: occurrence.type, versions, branches });
    if (ahead.length === mostAhead) break;
  }
  return { now, steps: [...past.slice(-mostPast), ...ahead] };
}

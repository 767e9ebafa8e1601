import { setImmediate } from 'node:timers/promises';
import type { Instant } from '../engine/time.js';
import { cellStep, horizon } from '../run/cell-timeline.js';
import type { Instead, Plan, TimelineStep } from '../run/plan.js';
import { forceBranches } from '../scenarios/find.js';

/** A decision of an instance that changes its events, or would with another outcome. */
export interface Fork {
  readonly instance: string;
  readonly scenario: string;
  readonly branch: string;
  readonly outcome: string;
  /** Other outcomes that change events. */
  readonly others: readonly string[];
  /** Instant of the first event that another outcome changes. */
  readonly at: Instant;
}

/** Maximum number of instances with forks: the newest. */
const maxInstances = 8;
/** Maximum number of steps of each future. */
const maxSteps = 100;

/** Plays a cell with every other outcome of its instances, to find the forks. Each play takes its own turn. */
export async function forksOf(plan: Plan, cell: number, now: Instant): Promise<Fork[]> {
  const actual = [...plan.timeline(cell, now + horizon)];
  const decided = new Map(actual.map(({ instance, branches }) => [instance, branches]));
  const forks: Fork[] = [];
  for (const [instance, branches] of [...decided].slice(-maxInstances)) {
    if (instance.startsWith('trigger#')) continue;
    const scenario = plan.scenarioNamed(scenarioOf(instance));
    for (const [branch, outcomes] of Object.entries(scenario.branches)) {
      const outcome = branches[branch] ?? '';
      const changed = new Map<string, Instant>();
      for (const other of Object.keys(outcomes)) {
        if (other === outcome) continue;
        await setImmediate();
        const steps = [...plan.timeline(cell, now + horizon, { instance, branches: { [branch]: other } })];
        const first = firstDifference(actual, steps);
        const at = Math.min(actual[first]?.at ?? Infinity, steps[first]?.at ?? Infinity);
        if (at < Infinity) changed.set(other, at);
      }
      if (changed.size > 0) {
        forks.push({
          instance,
          scenario: scenario.name,
          branch,
          outcome,
          others: [...changed.keys()],
          at: Math.min(...changed.values()),
        });
      }
    }
  }
  return forks;
}

/** The steps of a cell from the first changed one on, as they are and with another outcome. */
export type WhatIf = ReturnType<typeof whatIf>;

/** Plays a cell with another outcome. The run does not change. */
export function whatIf(plan: Plan, cell: number, now: Instant, instead: Instead) {
  const actual = [...plan.timeline(cell, now + horizon)];
  const other = [...plan.timeline(cell, now + horizon, instead)];
  const first = firstDifference(actual, other);
  const rest = (steps: readonly TimelineStep[]) => steps.slice(first, first + maxSteps).map(cellStep);
  return { actual: rest(actual), other: rest(other) };
}

/** Reads another outcome from a query. @throws BusbarError `unknown-scenario`, `unknown-branch` */
export function insteadOf(plan: Plan, query: Readonly<Record<string, unknown>>): Instead {
  const textOf = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const [instance, branch, outcome] = [textOf('instance'), textOf('branch'), textOf('outcome')];
  const scenario = plan.scenarioNamed(scenarioOf(instance));
  return { instance, branches: forceBranches([scenario], { [branch]: outcome })[scenario.name] ?? {} };
}

function scenarioOf(instance: string): string {
  return instance.replace(/#\d+$/, '');
}

function firstDifference(some: readonly TimelineStep[], others: readonly TimelineStep[]): number {
  const index = some.findIndex((step, nth) => contentOf(step) !== contentOf(others[nth]));
  return index === -1 ? some.length : index;
}

function contentOf(step: TimelineStep | undefined): string {
  return step === undefined ? '' : JSON.stringify([step.at, step.occurrence.type, step.occurrence.versions]);
}

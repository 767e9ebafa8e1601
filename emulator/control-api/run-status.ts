import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';

/** Returns the state, pace, faults and counts of the run. */
export function runStatus(session: Session) {
  const { run, plan, generation, pace } = session;
  const { summary } = run;
  return {
    run: generation,
    state: run.state,
    now: formatInstant(run.now),
    seed: plan.seed ?? 1,
    scenarios: [plan.scenario ?? []].flat().map((each) => (typeof each === 'string' ? each : each.name)),
    events: summary.events,
    ...(pace.rate === undefined ? { speed: pace.speed ?? ('story' as const) } : { rate: pace.rate }),
    faults: faultsOf(session).faults,
    inputs: plan.inputs?.length ?? 0,
    first: summary.first === undefined ? null : formatInstant(summary.first),
    last: summary.last === undefined ? null : formatInstant(summary.last),
    by_type: Object.fromEntries(summary.byType),
    by_fault: Object.fromEntries(summary.byFault),
    by_branch: Object.fromEntries(summary.byBranch),
    by_sink: summary.bySink.map(({ name, events }) => ({ name, events })),
  };
}

/** Returns the faults in force, and the virtual time at which an input set them. */
export function faultsOf({ plan: { inputs = [], faults } }: Session) {
  const last = inputs.findLast((input) => input.kind === 'faults');
  return last === undefined
    ? { faults: faults ?? null, since: null }
    : { faults: last.faults, since: formatInstant(last.at) };
}

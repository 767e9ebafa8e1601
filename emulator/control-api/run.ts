import { parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { Session, Started } from '../run/session.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that read and control the run. */
export function runOperations(session: Session) {
  const status = () => statusOf(session);
  return {
    getHealth: () => ({
      status: session.run.state === 'failed' ? ('failed' as const) : ('ok' as const),
      run: session.generation,
    }),
    getRun: status,
    async startScenario({ body: { scenario, instances = 1, at, ...options } }) {
      const wanted = { ...options, ...(at !== undefined && { at: parseInstant('at', at) }) };
      // A stopped run accepts no input, so the next one starts with the same settings.
      if (session.run.state === 'stopped') await session.reset();
      return { started: Array.from({ length: instances }, () => describe(session.start(scenario, wanted))) };
    },
    pauseRun() {
      session.run.pause();
      return status();
    },
    resumeRun() {
      session.run.resume();
      return status();
    },
    stepRun({ body: { count = 1 } }) {
      session.run.pause();
      session.run.step(count);
      return status();
    },
    setSpeed({ body }) {
      session.setPace(body);
      return status();
    },
    async stopRun() {
      await session.run.stop();
      return status();
    },
    async resetRun({ body: { scenarios, run_id, ...rest } }) {
      await session.reset({
        ...rest,
        ...(scenarios && { scenario: scenarios }),
        ...(run_id !== undefined && { runId: run_id }),
      });
      return status();
    },
  } satisfies Partial<ControlHandlers>;
}

function statusOf(session: Session) {
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
    inputs: plan.inputs?.length ?? 0,
    first: summary.first === undefined ? null : formatInstant(summary.first),
    last: summary.last === undefined ? null : formatInstant(summary.last),
    by_type: Object.fromEntries(summary.byType),
    by_fault: Object.fromEntries(summary.byFault),
    by_branch: Object.fromEntries(summary.byBranch),
    by_sink: summary.bySink.map(({ name, events }) => ({ name, events })),
  };
}

function describe({ instance, cell, account, at }: Started) {
  return { instance, cell, account, at: formatInstant(at) };
}

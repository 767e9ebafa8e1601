import { defined } from 'busbar/base';
import { parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { Session, Started } from '../run/session.js';
import type { ControlHandlers } from './document.js';
import { runStatus } from './run-status.js';

/** Returns the handlers that read and control the run. */
export function runOperations(session: Session) {
  const status = () => runStatus(session);
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
      await session.reset({ ...rest, ...defined({ scenario: scenarios, runId: run_id }) });
      return status();
    },
  } satisfies Partial<ControlHandlers>;
}

function describe({ instance, cell, account, at }: Started) {
  return { instance, cell, account, at: formatInstant(at) };
}

import { BusbarError, defined } from 'busbar/base';
import { parseDuration, parseInstant } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import { checkDestination } from '../run/run-clock.js';
import type { Session, Started } from '../run/session.js';
import type { ControlHandlers } from './document.js';
import { faultsOf, runStatus } from './run-status.js';

/** Returns the handlers that read and control the run, its clock and its faults. */
export function runOperations(session: Session) {
  const status = () => runStatus(session);
  const clock = () => ({ now: formatInstant(session.run.now), state: session.run.state });
  const changeFaults = (faults: Parameters<Session['setFaults']>[0]) => {
    session.setFaults(faults);
    return faultsOf(session);
  };
  let restart: Promise<void> | undefined;
  let advance = { run: session.run, to: -Infinity };
  /** Returns the instant that an advance of this run moves to, or the current one. */
  const destination = () => Math.max(session.run.now, advance.run === session.run ? advance.to : -Infinity);
  return {
    getHealth: () => ({
      status: session.run.state === 'failed' ? ('failed' as const) : ('ok' as const),
      run: session.generation,
    }),
    getRun: status,
    async startScenario({ body: { scenario, instances = 1, at, ...options } }) {
      const wanted = { ...options, ...(at !== undefined && { at: parseInstant('at', at) }) };
      // A stopped run accepts no input, so the next one starts with the same settings, once for all that wait for it.
      if (session.run.state === 'stopped') {
        await (restart ??= session.reset().finally(() => (restart = undefined)));
      }
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
      if (['stopped', 'failed', 'ended'].includes(session.run.state))
        throw new BusbarError('run-over', 'The run has ended. Reset it, or start another.');
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
    getClock: clock,
    async advanceClock({ body: { to, by = '' } }) {
      const target = to === undefined ? destination() + parseDuration('by', by) : parseInstant('to', to);
      if (target < session.run.now) {
        throw new BusbarError(
          'invalid-option',
          `Virtual time cannot go back: it is ${clock().now}. Choose a later instant, or reset the run.`,
        );
      }
      checkDestination(target);
      advance = { run: session.run, to: target };
      await session.run.advance(target);
      return clock();
    },
    getFaults: () => faultsOf(session),
    setFaults: ({ body }) => changeFaults(body.faults),
    endFaults: () => changeFaults(null),
    async resetRun({ body: { scenarios, run_id, ...rest } }) {
      await session.reset({ ...rest, ...defined({ scenario: scenarios, runId: run_id }) });
      return status();
    },
  } satisfies Partial<ControlHandlers>;
}

function describe({ instance, cell, account, at }: Started) {
  return { instance, cell, account, at: formatInstant(at) };
}

import type { Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { formatInstant } from '../engine/time.js';
import type { PaceOptions } from '../run/pace.js';
import type { Session, Started } from '../run/session.js';
import { readBody, required } from './read.js';
import { resource } from './resource.js';

const mostInstances = 1000;

/** `/run`: the present run, what it does, and how it is held, hurried, ended or begun again. */
export function runResource(router: Router, session: Session): void {
  const status = () => ({ body: statusOf(session) });

  resource(router, '/run', { get: status });
  resource(router, '/run/start', {
    async post(request) {
      const {
        scenario,
        instances = 1,
        ...options
      } = readBody(request, {
        scenario: 'text',
        instances: 'number',
        account: 'text',
        branches: 'map',
        data: 'any',
        at: 'instant',
      });
      const name = required('scenario', scenario);
      if (!(Number.isInteger(instances) && instances >= 1 && instances <= mostInstances)) {
        throw new BusbarError('invalid-option', `"instances" is a whole number from 1 to ${mostInstances}.`);
      }
      // A run that was stopped takes nothing in: the next begins as it did.
      if (session.run.state === 'stopped') await session.reset();
      const started = Array.from({ length: instances }, () => describe(session.start(name, options)));
      return { status: 201, body: { started } };
    },
  });
  resource(router, '/run/pause', {
    post(request) {
      readBody(request, {});
      session.run.pause();
      return status();
    },
  });
  resource(router, '/run/resume', {
    post(request) {
      readBody(request, {});
      session.run.resume();
      return status();
    },
  });
  resource(router, '/run/step', {
    post(request) {
      const { count = 1 } = readBody(request, { count: 'number' });
      if (!(Number.isInteger(count) && count >= 1 && count <= 1_000_000)) {
        throw new BusbarError('invalid-option', '"count" is a whole number from 1 to 1000000.');
      }
      session.run.pause();
      session.run.step(count);
      return status();
    },
  });
  resource(router, '/run/speed', {
    post(request) {
      session.setPace(paceIn(readBody(request, { speed: 'any', rate: 'number' })));
      return status();
    },
  });
  resource(router, '/run/stop', {
    async post(request) {
      readBody(request, {});
      await session.run.stop();
      return status();
    },
  });
  resource(router, '/run/reset', {
    async post(request) {
      const { speed, rate, scenarios, faults, run_id, ...rest } = readBody(request, {
        scenarios: 'texts',
        seed: 'number',
        instances: 'number',
        accounts: 'number',
        branches: 'map',
        faults: 'text',
        run_id: 'text',
        paused: 'flag',
        speed: 'any',
        rate: 'number',
      });
      await session.reset({
        ...rest,
        ...(speed !== undefined || rate !== undefined ? paceIn({ speed, rate }) : {}),
        ...(scenarios && { scenario: scenarios }),
        ...(faults !== undefined && { faults }),
        ...(run_id !== undefined && { runId: run_id }),
      });
      return status();
    },
  });
}

function statusOf(session: Session) {
  const { run, plan, generation } = session;
  const { summary } = run;
  return {
    run: generation,
    state: run.state,
    now: formatInstant(run.now),
    seed: plan.seed ?? 1,
    scenarios: [plan.scenario ?? []].flat().map((each) => (typeof each === 'string' ? each : each.name)),
    events: summary.events,
    ...(session.pace.rate === undefined
      ? { speed: session.pace.speed ?? 'story' }
      : { rate: session.pace.rate }),
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

function paceIn({
  speed,
  rate,
}: {
  readonly speed?: unknown;
  readonly rate?: number | undefined;
}): PaceOptions {
  const isSpeed = typeof speed === 'number' || speed === 'instant' || speed === 'story';
  if (rate !== undefined && speed === undefined) return { rate };
  if (isSpeed && rate === undefined) return { speed };
  throw new BusbarError(
    'invalid-option',
    'Give "speed", a number, "instant" or "story", or else "rate", events a second.',
  );
}

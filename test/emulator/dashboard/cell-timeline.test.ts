import { expect, it, onTestFinished } from 'vitest';
import { after, defineScenario, emit, startEmulator } from '../../../emulator/index.js';
import type { CellTimeline } from '../../../emulator/run/cell-timeline.js';
import { silentLogger } from '../../../src/index.js';

const hour = 3_600_000;

it('plays only the new steps of a journey for a tab that follows it', async () => {
  let played = 0;
  const hourly = defineScenario({
    name: 'hourly',
    title: 'Every hour',
    description: 'An account is occupied every hour.',
    branches: {},
    *run({ cell: { account } }) {
      for (let nth = 0; nth < 100; nth++) {
        played++;
        yield* emit('account.occupied', 'v1', { account_number: account.number }, { key: account.number });
        yield* after({ hours: 1 }, { hours: 1 });
      }
    },
  });
  const { url, advance, trigger, now, stop } = await startEmulator({
    scenario: hourly,
    kafka: false,
    http: { port: 0 },
    run: { paused: true },
    logger: silentLogger,
  });
  onTestFinished(stop);
  const timeline = async () => {
    played = 0;
    const { now, steps } = (await (await fetch(`${url}/dashboard/course/1`)).json()) as CellTimeline;
    return { past: steps.filter(({ at }) => at <= now).length, steps: steps.length, played };
  };
  await advance(now + 10.5 * hour);
  expect(await timeline()).toEqual({ past: 11, steps: 23, played: 23 });
  expect(await timeline()).toEqual({ past: 11, steps: 23, played: 0 });
  await advance(now + 12.5 * hour);
  expect(await timeline()).toMatchObject({ past: 13, steps: 25 });
  await trigger('account.created-v1', { set: ['account_number=A-00000001'] });
  expect((await timeline()).played).toBe(25);
});

import { expect, it, onTestFinished } from 'vitest';
import { after, defineScenario, emit, startEmulator } from '../../../emulator/index.js';
import type { AccountStory } from '../../../emulator/dashboard/account-story.js';
import type { CellTimeline } from '../../../emulator/run/cell-timeline.js';
import { silentLogger } from '../../../src/index.js';

const hour = 3_600_000;

/** Starts a run with an event in each hour, and counts the occurrences that it plays for the dashboard. */
async function hourlyRun(instances: number) {
  let played = 0;
  const scenario = defineScenario({
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
  const emulator = await startEmulator({
    scenario,
    instances,
    kafka: false,
    http: { port: 0 },
    run: { paused: true },
    logger: silentLogger,
  });
  onTestFinished(emulator.stop);
  const ask = async (path: string) => {
    played = 0;
    const body: unknown = await (await fetch(`${emulator.url}/dashboard/${path}`)).json();
    return { body, played };
  };
  const timeline = async (cell = 1) => {
    const { body, played: plays } = await ask(`course/${cell}`);
    const { now, steps } = body as CellTimeline;
    return { past: steps.filter(({ at }) => at <= now).length, steps: steps.length, played: plays };
  };
  return { ...emulator, now: emulator.now, ask, timeline };
}

it('plays only the new steps of a journey for a tab that follows it', async () => {
  const { timeline, advance, trigger, now } = await hourlyRun(1);
  await advance(now + 10.5 * hour);
  expect(await timeline()).toEqual({ past: 11, steps: 23, played: 23 });
  expect(await timeline()).toEqual({ past: 11, steps: 23, played: 0 });
  await advance(now + 12.5 * hour);
  expect(await timeline()).toMatchObject({ past: 13, steps: 25 });
  await trigger('account.created-v1', { set: ['account_number=A-00000001'] });
  expect((await timeline()).played).toBe(25);
});

it('plays the journeys of two tabs once', async () => {
  const { timeline, advance, now } = await hourlyRun(2);
  await advance(now + 10.5 * hour);
  expect((await timeline(1)).played).toBeGreaterThan(0);
  expect((await timeline(2)).played).toBeGreaterThan(0);
  expect((await timeline(1)).played).toBe(0);
  expect((await timeline(2)).played).toBe(0);
});

it('plays the cell of an account again only after an event', async () => {
  const { ask, advance, cell, now } = await hourlyRun(1);
  const path = `account/${cell(1).accounts[0]!.number}`;
  await advance(now + 10.5 * hour);
  const body = (await ask(path)).body as AccountStory;
  expect(body.events).toHaveLength(11);
  expect(await ask(path)).toEqual({ body, played: 0 });
  await advance(now + 10.6 * hour);
  expect(await ask(path)).toMatchObject({ body: { account: body.account }, played: 0 });
  await advance(now + 11.5 * hour);
  expect(((await ask(path)).body as AccountStory).events).toHaveLength(12);
});

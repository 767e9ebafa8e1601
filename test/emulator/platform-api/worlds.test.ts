import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { replayRecording } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { play } from '../scenarios/play.js';
import { apiKey, basic, serve } from './serve.js';

const headers = { Authorization: basic(apiKey) };

it('accounts of a population are there as well, without an end to its search', async () => {
  const options = { scenario: 'everyday', accounts: 40, seed: 3, duration: 3 * 86_400_000 };
  const emissions = await play('everyday', options);
  const named = new Set(
    emissions.map(({ envelope }) => (envelope.payload as { account_number?: string }).account_number),
  );
  const { emulator, get } = await serve({ ...options, run: { paused: false }, platformApi: {} });
  await emulator.finished;
  for (const number of [...named].filter((each) => each !== undefined).slice(0, 10)) {
    expect(await get<platformApi.Account>(`accounts/${number}/`, headers)).toMatchObject({ number });
  }
});

it('a replayed recording has the world that it was recorded in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-rest-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'run.ndjson');
  const emissions = await play('house-move', { run: { record: file }, seed: 2 });
  const { account_number: number } = emissions[0]!.envelope.payload as { account_number: string };
  const replayed = await replayRecording({
    file,
    speed: 'instant',
    kafka: false,
    http: { port: 0 },
    logger: silentLogger,
    platformApi: { apiKeys: [apiKey] },
  });
  onTestFinished(() => replayed.stop());
  await replayed.finished;
  const live = await serve({ seed: 2, run: { paused: false } });
  await live.emulator.finished;
  const path = `accounts/${number}/`;
  const answer = await fetch(new URL(path, replayed.apiUrl), { headers });
  expect(await answer.json()).toEqual(await live.get(path, headers));
});

it('a run that is reset to another seed has the prices and accounts of that seed', async () => {
  const prices = async (get: Awaited<ReturnType<typeof serve>>['get']) =>
    (await get<platformApi.UnitRateList>(halfHours)).results.map(({ value_exc_vat }) => value_exc_vat);
  const other = await serve({ seed: 2, scenario: [] });
  const account = (api: typeof other) => {
    const { account: number } = api.emulator.start('house-move');
    return api.get<platformApi.Account>(`accounts/${number}/`, headers);
  };
  const api = await serve({ seed: 1, scenario: [] });
  const ofOther = await prices(other.get);
  expect(await prices(api.get)).not.toEqual(ofOther);
  await api.emulator.reset({ seed: 2, paused: true });
  expect(await prices(api.get)).toEqual(ofOther);
  expect(await account(api)).toEqual(await account(other));
});

const halfHours =
  'products/AGILE-24-10-01/electricity-tariffs/E-1R-AGILE-24-10-01-C/standard-unit-rates/?page_size=10';

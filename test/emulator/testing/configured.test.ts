import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSamples, createTestBench, sample, verifyConsumer } from '../../../emulator/testing/index.js';
import { loadConfig } from '../../../src/config/index.js';
import {
  createConsumer,
  cloudEventsEnvelope,
  type EnvelopeCodec,
  eventBridgeEnvelope,
} from '../../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-configured-'));
const before = process.cwd();

beforeAll(() => {
  const schema = {
    $id: 'tariff.changed-v1',
    title: 'TariffChanged',
    description: 'A tariff changed.',
    type: 'object',
    properties: { account_number: { type: 'string', description: 'Account.' } },
    required: ['account_number'],
    'x-event-type': 'tariff.changed',
    'x-event-version': 'v1',
    'x-busbar-key': 'account',
  };
  mkdirSync(join(folder, 'events'));
  writeFileSync(join(folder, 'events/tariff.changed-v1.json'), JSON.stringify(schema));
  writeFileSync(
    join(folder, 'busbar.config.json'),
    '{ "catalogue": "./events", "consumer": { "strict": true } }',
  );
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

/** Returns a consumer of an own event, and the accounts that it has seen. */
async function consumerOfTariffs() {
  const config = await loadConfig();
  const seen: string[] = [];
  const consumer = createConsumer({ ...config.consumer, catalogue: await config.openCatalogue() });
  consumer.on('tariff.changed' as never, 'v1' as never, ({ payload }) => {
    seen.push((payload as { account_number: string }).account_number);
  });
  return { consumer, seen };
}

describe('the catalogue of the configuration file', () => {
  it('adds own events to a test bench', async () => {
    const { consumer, seen } = await consumerOfTariffs();
    await using bench = createTestBench(consumer);
    await bench.deliver('tariff.changed' as never, 'v1' as never, { account_number: 'A-1B2C3D4E' } as never);
    await bench.deliver(
      'tariff.changed' as never,
      'v1' as never,
      { account_number: 'A-1', other: 1 } as never,
    );
    expect(seen).toEqual(['A-1B2C3D4E']);
  });

  it('adds own events to samples', async () => {
    const { sample: sampleOf } = await createSamples();
    expect(sampleOf('tariff.changed' as never, 'v1' as never)).toMatchObject({
      account_number: expect.any(String) as string,
    });
  });

  it('adds own events to verifyConsumer', async () => {
    const { consumer } = await consumerOfTariffs();
    const { coverage } = await verifyConsumer(consumer, { only: ['samples'], runs: 0 });
    expect(JSON.stringify(coverage)).toContain('tariff.changed');
  });
});

describe('a scenario of the configuration file', () => {
  it('sends its events to a test bench and to verifyConsumer', async () => {
    writeFileSync(
      join(folder, 'visit.mjs'),
      `export const visit = { name: 'visit', title: 'A visit', description: 'One.', branches: {}, *run({ cell: { account: { number } } }) {
        const versions = [{ version: 'v1', payload: { account_number: number } }];
        yield { kind: 'emit', occurrence: { type: 'tariff.changed', key: number, versions }, name: 'visit' };
      } };`,
    );
    const config = { catalogue: './events', scenarios: ['./visit.mjs'] };
    writeFileSync(join(folder, 'busbar.config.json'), JSON.stringify(config));
    const { consumer, seen } = await consumerOfTariffs();
    const bench = createTestBench(consumer);
    await bench.play('visit');
    await bench.stop();
    expect(seen).toEqual([expect.stringMatching(/^A-/)]);
    const { consumer: verified, seen: observed } = await consumerOfTariffs();
    await verifyConsumer(verified, { only: ['baseline'], runs: 0 });
    expect(observed).not.toEqual([]);
  });
});

describe('a scenario of the configuration file that is missing', () => {
  it('names the configuration file', async () => {
    const config = { catalogue: './events', scenarios: ['./gone.mjs'] };
    writeFileSync(join(folder, 'busbar.config.json'), JSON.stringify(config));
    const { consumer } = await consumerOfTariffs();
    const message = /^Configuration file "busbar.config.json": "scenarios": .*gone.mjs/;
    await expect(verifyConsumer(consumer)).rejects.toThrow(message);
    const bench = createTestBench(consumer);
    await expect(bench.play('house-move')).rejects.toThrow(message);
    await expect(bench.stop()).resolves.toBeUndefined();
  });
});

describe('the envelope of the configuration file', () => {
  const writeConfig = (config: object) =>
    writeFileSync(join(folder, 'busbar.config.json'), JSON.stringify(config));
  beforeAll(() => writeConfig({ envelope: { 'platform.events': 'eventbridge' } }));

  const counting = (envelope: EnvelopeCodec) => {
    const count = { handled: 0 };
    const consumer = createConsumer({ envelope });
    consumer.on('account.created', 'v1', () => {
      count.handled += 1;
    });
    return { consumer, count };
  };

  it('reaches the consumer of a test bench', async () => {
    const { consumer, count } = counting(eventBridgeEnvelope());
    await using bench = createTestBench(consumer);
    await bench.play('house-move');
    const id = await bench.deliver('account.created', 'v1', sample('account.created', 'v1'));
    const played = bench.results.filter(({ type }) => type === 'account.created');
    expect(count.handled).toBe(played.length);
    expect(bench.results.at(-1)).toMatchObject({ id, outcome: 'handled' });
  });

  it('reaches the consumer of verifyConsumer', async () => {
    const { consumer } = counting(eventBridgeEnvelope());
    const only = ['samples', 'poison', 'duplicates', 'order', 'vary'];
    const report = await verifyConsumer(consumer, { only, runs: 1 });
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([]);
    const { consumer: other } = counting(cloudEventsEnvelope());
    await expect(verifyConsumer(other)).rejects.toThrow('Pass its wire format as "envelope"');
  });
});

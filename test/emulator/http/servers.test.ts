import { Kafka, logLevel } from 'kafkajs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type OutgoingEvent, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { LogRecorder } from '../broker/log-recorder.js';
import { WireClient } from '../broker/wire-client.js';
import { play } from '../scenarios/play.js';

describe('the emulator as a Kafka broker', () => {
  it('waits for the group and sends it all events in order per key', async () => {
    const options = { seed: 3, instances: 20 };
    const expected = await play('house-move', options);
    const emulator = await startEmulator({
      scenario: 'house-move',
      ...options,
      speed: 'instant',
      kafka: { port: 0 },
      http: false,
      run: { waitForConsumer: 'billing' },
      logger: silentLogger,
    });
    expect(emulator.url).toBeUndefined();

    const kafka = new Kafka({ brokers: [emulator.bootstrapServers!], logLevel: logLevel.NOTHING });
    const consumer = kafka.consumer({ groupId: 'billing' });
    const received: { key: string; value: string; headers: Record<string, string> }[] = [];
    await consumer.connect();
    // Without `fromBeginning`: a consumer that the run waits for misses nothing.
    await consumer.subscribe({ topics: ['platform.events'] });
    const all = new Promise<void>((resolve) => {
      void consumer.run({
        eachMessage: async ({ message }) => {
          const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
          received.push({
            key: String(message.key),
            value: String(message.value),
            headers: Object.fromEntries(headers),
          });
          if (received.length === expected.length) resolve();
        },
      });
    });
    expect((await emulator.finished).events).toBe(expected.length);
    await all;
    await consumer.disconnect();
    await emulator.stop();

    const byKey = (key: string) => (each: { key: string }) => each.key === key;
    for (const key of new Set(expected.map((emission) => emission.key))) {
      const sent = expected
        .filter(byKey(key))
        .map(({ bytes, headers }: OutgoingEvent) => [String(bytes), headers]);
      expect(received.filter(byKey(key)).map(({ value, headers }) => [value, headers])).toEqual(sent);
    }
  });

  it('listens on the given address, warns that others reach it, and advertises another', async () => {
    const log = new LogRecorder();
    const advertised = { host: 'kafka.example', port: 19_092 };
    const kafka = { port: 0, host: '0.0.0.0', advertised };
    const emulator = await startEmulator({ scenario: 'house-move', kafka, http: false, logger: log });
    expect(
      log.matching(/^warn other machines can use the kafka broker without a password.*0\.0\.0\.0/),
    ).toHaveLength(1);
    const client = new WireClient(connect(emulator.kafkaPort!, '127.0.0.1'));
    expect(await client.request(3, 9, { topics: [] })).toMatchObject({ brokers: [advertised] });
    client.close();
    await emulator.stop();
  });

  it('serves topics for events and dead letters, and the stream', async () => {
    const emulator = await startEmulator({
      scenario: 'house-move',
      speed: 'instant',
      kafka: { port: 0 },
      http: { port: 0 },
      logger: silentLogger,
    });
    const admin = new Kafka({ brokers: [emulator.bootstrapServers!], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata();
    expect(topics.map(({ name, partitions }) => [name, partitions.length])).toEqual([
      ['platform.events', 6],
      ['platform.events.dead-letter', 6],
    ]);
    await admin.disconnect();
    expect(emulator.streamUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/events$/);
    await emulator.stop();
  });
});

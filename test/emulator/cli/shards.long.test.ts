import { Kafka, logLevel } from 'kafkajs';
import { expect, it, onTestFinished } from 'vitest';
import { startBroker } from '../../../emulator/broker/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { run, runProcess } from '../../command.js';

it('four shards send a whole run into one topic, each key in order', async () => {
  const topics = [{ name: 'platform.events', partitions: 12 }];
  const broker = await startBroker({ port: 0, topics, logger: silentLogger });
  onTestFinished(() => broker.stop());
  const population = ['--scenario', 'everyday', '--accounts', '3000', '--duration', '1d', '--instant'];
  const topic = `kafka://${broker.bootstrapServers}/platform.events`;
  const shards = [1, 2, 3, 4].map((index) =>
    runProcess('emulate', [...population, '--shard', `${index}/4`, '--to', topic]),
  );
  expect((await Promise.all(shards)).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const whole = (await run('emulate', [...population, '--to', 'stdout'])).stdout.trim().split('\n');

  const { partitions } = broker.inspect().topics.find(({ name }) => name === 'platform.events')!;
  expect(partitions.reduce((sum, { endOffset }) => sum + endOffset, 0)).toBe(whole.length);
  const client = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
  const consumer = client.consumer({ groupId: 'reader' });
  onTestFinished(() => consumer.disconnect());
  await consumer.subscribe({ topic: 'platform.events', fromBeginning: true });
  const values: string[] = [];
  const byKey = new Map<string, string[]>();
  await new Promise<void>((resolve, reject) => {
    const eachMessage = async ({ message }: { message: { key: Buffer | null; value: Buffer | null } }) => {
      const value = String(message.value);
      const key = String(message.key);
      byKey.set(key, [...(byKey.get(key) ?? []), value]);
      if (values.push(value) === whole.length) resolve();
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  expect(values.toSorted()).toEqual(whole.toSorted());
  // Each line begins with its id, which rises with time.
  for (const sent of byKey.values()) expect(sent).toEqual(sent.toSorted());
});

import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import { silentLogger } from '../../../../src/base/logger.js';
import { deadLetterMessage } from '../../../../src/dead-letter.js';
import { findHeldLetters } from '../../../../src/transports/kafka/held-letters.js';
import { kafkajsClientOf } from '../../../../src/transports/kafka/kafkajs/client.js';
import { recordHeaders } from '../../../../src/transports/record-headers.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';

it('findHeldLetters() keeps the keys in memory, but not the dead letters', async () => {
  const broker = await brokerWithEvents({ partitions: 1 });
  const record = {
    topic: 'events',
    partition: 0,
    timestamp: 0,
    key: Buffer.from('A-1'),
    headers: recordHeaders(),
  };
  const cause = { code: 'handler-failed', message: 'no', attempts: 1 };
  for (let offset = 0; offset < 20; offset++) {
    const letter = deadLetterMessage({ ...record, offset, value: Buffer.alloc(20_000) }, cause, 'readers');
    const headers = Object.entries(letter.headers).map(([name, [value]]) => [name, value!]);
    const { key, value } = letter;
    broker.append('events.dead-letter', [{ partition: 0, key, value, headers: Object.fromEntries(headers) }]);
  }
  const client = kafkajsClientOf({ brokers: [broker.bootstrapServers] });
  const connection = await client.connect({ clock: systemClock, logger: silentLogger });
  const [held = []] = await findHeldLetters({
    connection,
    groupId: 'readers',
    topicFor: (topic) => `${topic}.dead-letter`,
    positions: [{ topic: 'events', partition: 0, offset: 20 }],
    signal: new AbortController().signal,
  });
  await connection.close();
  expect(held.map(({ key }) => String(key))).toEqual(Array(20).fill('A-1'));
  const kept = new Set(held.map(({ key }) => key!.buffer));
  expect([...kept].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(100_000);
});

import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { collector } from './collector.js';

const options = { clock: systemClock, logger: silentLogger };

describe('memory', () => {
  it('accepts initial records, topics, partitions and a clock', async () => {
    const clock = { ...systemClock, now: () => 42 };
    const transport = memory({ records: [{ value: 'a' }], partitions: 2, clock });
    transport.send({ topic: 'other', partition: 1, value: 'b' });
    const receiver = collector();
    await transport.open(receiver, options);
    const records = await receiver.received(2);
    expect(
      records.map(({ topic, partition, offset, timestamp }) => ({ topic, partition, offset, timestamp })),
    ).toEqual([
      { topic: 'platform.events', partition: 0, offset: 0, timestamp: 42 },
      { topic: 'other', partition: 1, offset: 0, timestamp: 42 },
    ]);
  });

  it('rejects records above its capacity until some are settled', async () => {
    const transport = memory({ capacity: 2 });
    transport.send({ value: 'a' }, { value: 'b' });
    expect(() => transport.send({ value: 'c' })).toThrow(
      expect.objectContaining({
        code: 'capacity-exceeded',
        message: expect.stringContaining('2 records are unsettled'),
      }),
    );
    const receiver = collector();
    const subscription = await transport.open(receiver, options);
    const [first] = await receiver.received(2);
    subscription.commit(receiver.batches[0]!.partition, first!.offset + 1);
    transport.send({ value: 'c' });
    expect(() => transport.send({ value: 'd' })).toThrow(
      expect.objectContaining({ code: 'capacity-exceeded' }),
    );
  });

  it('rejects unknown partitions, records after the end, and a second run', async () => {
    expect(() => memory({ partitions: 0 })).toThrow('"partitions" must be a whole number of at least 1');
    const transport = memory({ partitions: 2 });
    expect(() => transport.send({ partition: 2, value: 'a' })).toThrow(
      'topic "platform.events" has no partition "2"',
    );
    await transport.open(collector(), options);
    await expect(transport.open(collector(), options)).rejects.toThrow(
      'a consumer already runs on this transport',
    );
    transport.end();
    expect(() => transport.send({ value: 'a' })).toThrow('send() was called after end()');
  });
});

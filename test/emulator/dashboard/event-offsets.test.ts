import { buildBatch } from 'busbar/internal/kafka-protocol';
import { expect, it } from 'vitest';
import { EventOffsets } from '../../../emulator/dashboard/event-offsets.js';
import type { BrokerSink } from '../../../emulator/sinks/broker.js';
import { eventTopic } from '../../../emulator/run/sink.js';

it('EventOffsets reads a partition again after a failed read', async () => {
  const batch = buildBatch([{ value: '{}', headers: { 'event-id': 'one' } }], 0);
  const reads = [
    () => {
      throw new Error('no');
    },
    () => [batch],
  ];
  const partitions = [{ partition: 0, startOffset: 0, endOffset: 1 }];
  const broker = {
    inspect: () => ({ topics: [{ name: eventTopic, partitions }] }),
    read: () => reads.shift()!(),
  };
  const offsets = new EventOffsets({ broker } as unknown as BrokerSink, () => undefined);
  await expect(offsets.all()).rejects.toThrow('no');
  const found = await offsets.all();
  expect(found.get('one')).toEqual({ topic: eventTopic, partition: 0, offset: 0 });
});

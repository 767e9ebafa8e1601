import { expect, it, onTestFinished } from 'vitest';
import { GroupPositions } from '../../../../src/transports/kafka/kafkajs/group-positions.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { steadyClock } from '../../../steady-clock.js';
import { opened } from './opened.js';

it('GroupPositions.write() moves the offsets of a group without members', async () => {
  const broker = await brokerWithEvents({ partitions: 2 });
  const { subscription } = await opened(broker);
  const positions = await GroupPositions.from({ brokers: [broker.bootstrapServers] }, steadyClock);
  onTestFinished(() => positions.close());
  const offsets = [0, 1].map((partition) => ({ topic: 'events', partition, offset: 40 + partition }));
  await expect(positions.write('readers', offsets)).rejects.toMatchObject({ code: 'group-active' });
  await subscription.stop();
  await positions.write('readers', offsets);
  const committed = broker
    .inspect()
    .groups[0]!.offsets.map(({ partition, committed }) => [partition, committed]);
  expect(committed).toEqual([
    [0, 40],
    [1, 41],
  ]);
});

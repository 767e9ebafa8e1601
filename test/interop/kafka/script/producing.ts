import { batchLayout } from '../../../../src/kafka-protocol/record-batch.js';
import { batchOf, checksummed } from '../../../emulator/broker/batches.js';
import type { Dialogue } from '../dialogue.js';
import { createTopic, type Prepared } from './prepare.js';

/** Batches that are taken and batches that are refused. */
export async function producing(to: Dialogue): Promise<void> {
  const topic = await createTopic(to, 'produced', 2);
  await batches(to, topic);
  await idempotent(to, topic);
  await configured(to);
}

async function batches(to: Dialogue, { name }: Prepared): Promise<void> {
  const produce = (
    label: string,
    records: Buffer | null,
    changes: Record<string, unknown> = {},
    version?: number,
  ) =>
    to.step(
      `produce ${label}`,
      'Produce',
      request(name, records, changes),
      version === undefined ? {} : { version },
    );
  await to.inEveryVersion('produce', 'Produce', () => request(name, batchOf(['a', 'b'])));
  await produce('for the leader', batchOf(['a']), { acks: 1 });
  await produce('with acks 2', batchOf(['a']), { acks: 2 });
  await produce('with acks -2', batchOf(['a']), { acks: -2 });
  await produce('to an unknown partition', batchOf(['a']), { partition: 7 });
  await produce('to a negative partition', batchOf(['a']), { partition: -1 });
  await produce('to an unknown topic', batchOf(['a']), { topic: to.named('unknown') });
  await produce('to a bad topic', batchOf(['a']), { topic: 'a b' });
  await produce('nothing', null);
  await produce('no bytes', Buffer.alloc(0));
  await produce('a part of a batch', batchOf(['a']).subarray(0, 40));
  await produce('too few bytes of a batch', batchOf(['a']).subarray(0, 63));
  await produce('less than a header', Buffer.alloc(12));
  await produce(
    'a wrong checksum',
    changed(batchOf(['a']), (batch) => (batch[batchLayout.crc]! ^= 1), false),
  );
  await produce(
    'format 1',
    changed(batchOf(['a']), (batch) => batch.writeInt8(1, batchLayout.magic)),
  );
  await produce(
    'format 3',
    changed(batchOf(['a']), (batch) => batch.writeInt8(3, batchLayout.magic)),
  );
  await produce('two batches', Buffer.concat([batchOf(['a']), batchOf(['b'])]));
  await produce('bytes after the batch', Buffer.concat([batchOf(['a']), Buffer.alloc(5)]));
  await produce(
    'a control batch',
    changed(batchOf(['a']), (batch) => batch.writeInt16BE(0x20, batchLayout.attributes)),
  );
  await produce(
    'a wrong count',
    changed(batchOf(['a', 'b']), (batch) => batch.writeInt32BE(3, batchLayout.recordCount)),
  );
  await produce(
    'no records',
    changed(batchOf(['a']), (batch) => batch.writeInt32BE(0, batchLayout.recordCount)),
  );
  await produce(
    'a wrong last offset',
    changed(batchOf(['a']), (batch) => batch.writeInt32BE(4, batchLayout.lastOffsetDelta)),
  );
  await produce(
    'a base offset',
    changed(batchOf(['a']), (batch) => batch.writeBigInt64BE(9n, batchLayout.baseOffset)),
  );
  await produce(
    'an unknown codec',
    changed(batchOf(['a']), (batch) => batch.writeInt16BE(5, batchLayout.attributes)),
  );
  await produce(
    'the broker’s time',
    changed(batchOf(['a']), (batch) => batch.writeInt16BE(8, batchLayout.attributes)),
  );
  const zstd = changed(batchOf(['a']), (batch) => batch.writeInt16BE(4, batchLayout.attributes));
  await produce('zstd before it was known', zstd, {}, 6);
  await produce('a time of -1', batchOf([{ value: 'a', timestamp: -1 }]));
  await to.step('produce twice in one request', 'Produce', {
    ...request(name, null),
    topics: [
      {
        name,
        partitions: [
          { index: 0, records: batchOf(['a']) },
          { index: 1, records: batchOf(['a']) },
        ],
      },
    ],
  });
  const client = to.connect();
  const version = to.versionsOf('Produce').at(-1) ?? 0;
  // acks=0 has no response. The next response shows the result.
  void client
    .request(0, version, request(name, batchOf(['a']), { acks: 0, partition: 1 }))
    .catch(() => undefined);
  const next = to.connect();
  await to.settle(
    'acks 0',
    'ListOffsets',
    offsetRequest(name, 1),
    ({ topics }) => topics[0].partitions[0].offset === 2,
  );
  await to.step('the end after acks 0', 'ListOffsets', offsetRequest(name, 1), { on: next });
}

async function idempotent(to: Dialogue, { name }: Prepared): Promise<void> {
  const { producerId: id } = await to.ask('InitProducerId', {
    transactionalId: null,
    transactionTimeoutMs: 1000,
  });
  const produce = (label: string, producer: { id: number; epoch: number; sequence: number }, count = 1) =>
    to.step(
      `produce idempotently ${label}`,
      'Produce',
      request(
        name,
        batchOf(
          Array.from({ length: count }, () => 'a'),
          producer,
        ),
      ),
    );
  await produce('0 to 2', { id, epoch: 0, sequence: 0 }, 3);
  await produce('0 to 2 again', { id, epoch: 0, sequence: 0 }, 3);
  await produce('3', { id, epoch: 0, sequence: 3 });
  await produce('0 to 2 after 3', { id, epoch: 0, sequence: 0 }, 3);
  await produce('a part of what was', { id, epoch: 0, sequence: 1 }, 2);
  await produce('after a gap', { id, epoch: 0, sequence: 9 });
  for (let sequence = 4; sequence < 10; sequence += 1)
    await produce(`on: ${sequence}`, { id, epoch: 0, sequence });
  await produce('what is forgotten', { id, epoch: 0, sequence: 0 }, 3);
  await produce('what is five back', { id, epoch: 0, sequence: 5 });
  await produce('a new epoch not at 0', { id, epoch: 1, sequence: 4 });
  await produce('a new epoch', { id, epoch: 1, sequence: 0 });
  await produce('an old epoch', { id, epoch: 0, sequence: 10 });
  await produce('no sequence', { id, epoch: 1, sequence: -1 });
  await produce('no epoch', { id, epoch: -1, sequence: 0 });
  await produce('a producer unheard of', { id: 987_654, epoch: 0, sequence: 0 });
  await produce('a producer unheard of, not at 0', { id: 987_655, epoch: 0, sequence: 5 });
  await produce('a producer unheard of, in epoch 3', { id: 987_656, epoch: 3, sequence: 0 });
  await produce('the last sequence', { id: 987_657, epoch: 0, sequence: 2_147_483_646 }, 2);
  await produce('past the last sequence', { id: 987_657, epoch: 0, sequence: 0 });
  await produce('across the last sequence', { id: 987_658, epoch: 0, sequence: 2_147_483_646 }, 4);
  await produce('after the crossing', { id: 987_658, epoch: 0, sequence: 2 });
  const transactional = (label: string, transactionalId: string | null) =>
    to.step(`produce ${label}`, 'Produce', {
      ...request(
        name,
        changed(batchOf(['a'], { id, epoch: 1, sequence: 1 }), (batch) =>
          batch.writeInt16BE(0x10, batchLayout.attributes),
        ),
      ),
      transactionalId,
    });
  await transactional('in a transaction without an id', null);
}

async function configured(to: Dialogue): Promise<void> {
  const produce = async (label: string, configs: Record<string, string>, batch: Buffer) => {
    const { name } = await createTopic(to, label.replaceAll(' ', '-'), 1, configs);
    await to.step(`produce to ${label}`, 'Produce', request(name, batch));
  };
  await produce('a small topic', { 'max.message.bytes': '100' }, batchOf(['x'.repeat(200)]));
  await produce('a topic of just that size', { 'max.message.bytes': '70' }, batchOf(['x'.repeat(1)]));
  await produce(
    'a topic with the time of the broker',
    { 'message.timestamp.type': 'LogAppendTime' },
    batchOf(['a']),
  );
  await produce('a topic from far ahead', {}, batchOf([{ value: 'a', timestamp: 4_000_000_000_000 }]));
  await produce('a compacted topic', { 'cleanup.policy': 'compact' }, batchOf([{ key: 'k', value: 'a' }]));
  await produce('a compacted topic without key', { 'cleanup.policy': 'compact' }, batchOf(['a']));
}

export function request(name: string, records: Buffer | null, changes: Record<string, unknown> = {}) {
  const { partition = 0, topic = name, ...rest } = changes;
  return {
    ...{ transactionalId: null, acks: -1, timeoutMs: 10_000 },
    topics: [{ name: topic, partitions: [{ index: partition, records }] }],
    ...rest,
  };
}

function offsetRequest(name: string, partition: number) {
  return {
    ...{ replicaId: -1, isolationLevel: 0, timeoutMs: 10_000 },
    topics: [{ name, partitions: [{ partition, currentLeaderEpoch: -1, timestamp: -1 }] }],
  };
}

function changed(batch: Buffer, change: (batch: Buffer) => unknown, makeRight = true): Buffer {
  change(batch);
  return makeRight ? checksummed(batch) : batch;
}

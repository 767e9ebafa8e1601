import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gzipSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.js';
import { type Clock, systemClock } from '../../../../src/base/clock.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { playsAll } from '../../../cases.js';
import { brokerWithEvents, type EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { opened, range, values } from './opened.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;

describe('kafka(): compressed records', () => {
  it('decompress gzip without another package', async () => {
    const broker = await brokerWithEvents();
    await send(broker, range(0, 5), CompressionTypes.GZIP);
    const { collected } = await opened(broker);
    await collected.received(5);
    expect(values(collected)).toEqual(range(0, 5));
  });

  it('decompress with a codec that is registered with kafkajs', async () => {
    register(CompressionTypes.ZSTD);
    const broker = await brokerWithEvents();
    await send(broker, range(0, 5), CompressionTypes.ZSTD);
    const { collected } = await opened(broker);
    await collected.received(5);
    expect(values(collected)).toEqual(range(0, 5));
  });

  it.each([
    ['Snappy', CompressionTypes.Snappy],
    ['LZ4', CompressionTypes.LZ4],
    ['ZSTD', CompressionTypes.ZSTD],
  ] as const)('end the run without a codec for %s, and are redelivered with one', async (name, type) => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const unregister = register(type);
    await send(broker, [0, 1], CompressionTypes.None);
    await send(broker, [2, 3], type);
    unregister();
    // One batch with each fetch.
    const first = await opened(broker, { maxBytesPerPartition: 100 });
    first.collected.revoke = async ([partition]) => first.subscription.commit(partition!, 2);
    await expect(first.collected.received(4)).rejects.toMatchObject({
      code: 'missing-package',
      message: expect.stringMatching(
        new RegExp(`^Topic "events", partition 0 .* with ${name}\\. .*CompressionTypes\\.${name}\\]`),
      ) as string,
    });
    expect(values(first.collected)).toEqual([0, 1]);
    expect(broker.inspect().groups[0]).toMatchObject({ members: [], offsets: [{ committed: 2 }] });
    register(type);
    const { collected } = await opened(broker);
    await collected.received(2);
    expect(values(collected)).toEqual([2, 3]);
  });

  it.runIf(playsAll)('claim no smaller size than they have', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    // The members of gzip data are decompressed one after the other; the last one is small.
    const members = [...Array(17).fill(gzipSync(Buffer.alloc(16_777_216))), gzipSync('0')];
    register(CompressionTypes.GZIP, async () => Buffer.concat(members));
    await send(broker, [0], CompressionTypes.GZIP);
    await expect(firstRecord(broker)).rejects.toThrow('Cannot create a Buffer larger than 268435456 bytes');
  });

  it('become dead letters also if they are longer than the topic accepts', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    await send(broker, ['7'.repeat(2_000_000)], CompressionTypes.GZIP);
    const { collected, subscription } = await opened(broker);
    await collected.received(1);
    const [record] = collected.records;
    await subscription.deadLetter!(record!, { code: 'invalid-event', message: 'no', attempts: 0 });
    const topics = ['events.dead-letter'];
    const { collected: letters } = await opened(broker, { topics, deadLetterTopic: () => 'events' });
    await letters.received(1);
    expect(letters.records[0]!.value?.length).toBe(2_000_000);
  });

  it('report a missing codec when they are read without a group', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const unregister = register(CompressionTypes.Snappy);
    await send(broker, [0, 1], CompressionTypes.Snappy);
    unregister();
    await expect(firstRecord(broker)).rejects.toMatchObject({
      code: 'missing-package',
      message: expect.stringContaining('Topic "events", partition 0') as string,
    });
  });

  it('stop their partition alone if they decompress to more than 256 MiB', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    // The data ends with its size.
    const claimed = gzipSync('0');
    claimed.writeUInt32LE(268_435_457, claimed.length - 4);
    const unregister = register(CompressionTypes.GZIP, async () => claimed);
    await send(broker, [0], CompressionTypes.GZIP);
    unregister();
    await send(broker, [1], CompressionTypes.None, 1);
    const { collected } = await opened(broker);
    await collected.received(1);
    expect(values(collected)).toEqual([1]);
    await expect(firstRecord(broker)).rejects.toThrow(
      'Topic "events", partition 0: the batch at offset 0 cannot be decompressed ' +
        '(268435457 bytes, at most 268435456).',
    );
  });
});

type Compression = (typeof CompressionTypes)[keyof typeof CompressionTypes];

/** Any way to make bytes fewer, and back, will do: the broker does not look. */
function register(
  type: Exclude<Compression, 0>,
  compress: (bytes: Buffer) => Promise<Buffer> = promisify(brotliCompress),
): () => void {
  const before = CompressionCodecs[type];
  CompressionCodecs[type] = () => ({
    compress: ({ buffer }: { readonly buffer: Buffer }) => compress(buffer),
    decompress: promisify(brotliDecompress),
  });
  const unregister = () => {
    CompressionCodecs[type] = before;
  };
  onTestFinished(unregister);
  return unregister;
}

async function send(
  broker: EventsBroker,
  numbers: readonly (number | string)[],
  compression: Compression,
  partition = 0,
) {
  const producer = clientOf(broker).producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const messages = numbers.map((number) => ({ key: 'key-a', value: String(number), partition }));
  await producer.send({ topic: 'events', compression, messages });
  await producer.disconnect();
}

/** Reads the first record of partition 0 without a group. */
async function firstRecord(broker: EventsBroker) {
  // Repeats a failed fetch at once.
  const clock: Clock = {
    now: () => 0,
    schedule: (delay, due) => systemClock.schedule(delay < 1_000 ? 0 : delay, due),
  };
  const connection = await kafkajsClient(clientOf(broker)).connect({ clock, logger: silentLogger });
  onTestFinished(() => connection.close());
  const records = connection.read({ topic: 'events', partition: 0, first: 0, end: 1 });
  return records[Symbol.asyncIterator]().next();
}

function clientOf({ bootstrapServers }: EventsBroker) {
  return new kafkajs.Kafka({ brokers: [bootstrapServers], logLevel: kafkajs.logLevel.NOTHING });
}

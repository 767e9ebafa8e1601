import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { batchLayout } from '../../../src/kafka-protocol/record-batch.js';
import { batchesIn, batchOf, checksummed } from './batches.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { type AnyResponse, WireClient } from './wire-client.js';

const PRODUCE = 0;
const FETCH = 1;
const LIST_OFFSETS = 2;

let clock: ManualClock;
let log: LogRecorder;
let broker: Broker;
let client: WireClient;

beforeEach(() => start());
afterEach(() => broker.stop());

describe('Produce', () => {
  it('assigns consecutive offsets in every version', async () => {
    let expected = 0;
    for (const version of [3, 4, 5, 6, 7, 8, 9]) {
      expect(await produce(batchOf(['a', 'b']), { version })).toMatchObject({
        errorCode: 0,
        baseOffset: expected,
      });
      expected += 2;
    }
  });

  it('refuses versions that it only advertises, with an error in their encoding', async () => {
    for (const version of [0, 1, 2]) {
      expect(await produce(batchOf(['a']), { version })).toMatchObject({ errorCode: 35 });
    }
    expect(log.matching(/api version not served .*"Produce","version":2/)).toHaveLength(1);
  });

  it.each([
    ['a wrong checksum', 2, (batch: Buffer) => batch.fill(1, 66, 67)],
    ['a batch that is cut off', 87, (batch: Buffer) => batch.subarray(0, batch.length - 1)],
    ['less than a header', 87, (batch: Buffer) => batch.subarray(0, 20)],
    ['two batches at once', 87, (batch: Buffer) => Buffer.concat([batch, batch])],
    ['an older format', 87, (batch: Buffer) => batch.fill(1, batchLayout.magic, batchLayout.magic + 1)],
    ['a count that contradicts the offsets', 87, (batch: Buffer) => withCount(batch, 5)],
    ['no records at all', 87, (batch: Buffer) => withCount(batch, 0)],
    ['a control batch', 87, (batch: Buffer) => withAttributes(batch, 0x20)],
    ['a length that no batch has', 2, (batch: Buffer) => batch.fill(0, 8, 12)],
    [
      'a format from the future',
      2,
      (batch: Buffer) => batch.fill(3, batchLayout.magic, batchLayout.magic + 1),
    ],
    ['an offset of the producer’s own', 87, (batch: Buffer) => batch.fill(1, 7, 8)],
    ['a transactional batch', 53, (batch: Buffer) => withAttributes(batch, 0x10)],
    ['a codec that does not exist', 76, (batch: Buffer) => withAttributes(batch, 7)],
  ])('refuses %s with error %i and appends nothing', async (_, errorCode, spoil) => {
    expect(await produce(spoil(batchOf(['a'])))).toMatchObject({ errorCode, baseOffset: -1 });
    expect(partition().endOffset).toBe(0);
  });

  it('refuses batches longer than max.message.bytes', async () => {
    expect(await produce(batchOf(['x'.repeat(1_048_600)]))).toMatchObject({ errorCode: 10 });
  });

  it('refuses unknown topics and partitions', async () => {
    expect(await produce(batchOf(['a']), { topic: 'other' })).toMatchObject({ errorCode: 3 });
    expect(await produce(batchOf(['a']), { index: 9 })).toMatchObject({ errorCode: 3 });
  });

  it('sends no response for acks=0, and closes the connection on a refused batch', async () => {
    const body = (batch: Buffer) => produceBody(batch, { acks: 0 });
    void client.request(PRODUCE, 7, body(batchOf(['a'])));
    await settle();
    expect(partition().endOffset).toBe(1);
    void client.request(PRODUCE, 7, body(withCount(batchOf(['a']), 0)));
    await client.closed;
  });

  it('sets the broker’s time and a new checksum for LogAppendTime', async () => {
    await start({ config: { 'message.timestamp.type': 'LogAppendTime' } });
    expect(await produce(batchOf(['a']))).toMatchObject({ errorCode: 0, logAppendTimeMs: clock.now() });
    const { records } = (await fetch(0)).partition;
    expect(records.readBigInt64BE(batchLayout.maxTimestamp)).toBe(BigInt(clock.now()));
    expect(checksummed(Buffer.from(records)).equals(records)).toBe(true);
  });
});

describe('ProducerStates', () => {
  const numbered = (sequence: number, count = 2, epoch = 0) =>
    batchOf(
      Array.from({ length: count }, () => 'x'),
      { id: 4711, epoch, sequence },
    );

  it('returns the first result for a repeated batch without appending it', async () => {
    for (let batch = 0; batch < 5; batch += 1) await produce(numbered(2 * batch));
    for (let batch = 0; batch < 5; batch += 1) {
      expect(await produce(numbered(2 * batch))).toMatchObject({ errorCode: 0, baseOffset: 2 * batch });
    }
    expect(partition().endOffset).toBe(10);
  });

  it('refuses a gap, and a repetition beyond the last five batches', async () => {
    for (let batch = 0; batch < 6; batch += 1) await produce(numbered(2 * batch));
    expect(await produce(numbered(14))).toMatchObject({ errorCode: 45 });
    expect(await produce(numbered(0))).toMatchObject({ errorCode: 45 });
    expect(await produce(numbered(12))).toMatchObject({ errorCode: 0, baseOffset: 12 });
  });

  it('requires sequence 0 for a new epoch, and refuses an old one', async () => {
    await produce(numbered(0));
    expect(await produce(numbered(2, 1, 1))).toMatchObject({ errorCode: 45 });
    expect(await produce(numbered(0, 1, 1))).toMatchObject({ errorCode: 0 });
    expect(await produce(numbered(2, 1, 0))).toMatchObject({ errorCode: 47 });
  });

  it('continues at 0 after the highest sequence', async () => {
    await produce(numbered(0x7fff_ffff - 1, 2));
    expect(await produce(numbered(0, 1))).toMatchObject({ errorCode: 0, baseOffset: 2 });
  });

  it('gets a unique id for each producer', async () => {
    const ids = new Set<number>();
    for (const version of [0, 1, 2, 3, 4]) {
      const response = await client.request(22, version, { transactionalId: null, transactionTimeoutMs: 0 });
      ids.add(response.producerId as number);
    }
    expect(ids.size).toBe(5);
  });
});

describe('Fetch', () => {
  it('returns produced batches with only offset and epoch changed', async () => {
    const batch = batchOf(['a', 'b']);
    await produce(batchOf(['before']));
    await produce(batch);
    const { records } = (await fetch(1)).partition;
    expect(batchesIn(records)).toEqual([{ baseOffset: 1, count: 2 }]);
    expect(records.subarray(batchLayout.magic).equals(batch.subarray(batchLayout.magic))).toBe(true);
  });

  it('returns complete batches up to max_bytes, and the first batch even above', async () => {
    for (let index = 0; index < 5; index += 1) await produce(batchOf(['x'.repeat(100)]));
    const one = batchOf(['x'.repeat(100)]).length;
    expect(batchesIn((await fetch(0, { maxBytes: 1 })).partition.records)).toHaveLength(1);
    expect(batchesIn((await fetch(0, { maxBytes: 3 * one })).partition.records)).toHaveLength(3);
    expect(batchesIn((await fetch(0, { partitionMaxBytes: 2 * one + 5 })).partition.records)).toHaveLength(2);
  });

  it('returns an error at once for offsets outside the log', async () => {
    for (const version of [4, 7, 11, 12]) {
      for (const offset of [-1, 1]) {
        expect((await fetch(offset, { version, maxWaitMs: 60_000 })).partition).toMatchObject({
          errorCode: 1,
        });
      }
    }
  });

  it('refuses an unknown leader epoch', async () => {
    const partitions = [{ partition: 0, fetchOffset: 0, partitionMaxBytes: 1, currentLeaderEpoch: 1 }];
    const topics = [{ topic: 'events', partitions }];
    const response = await client.request(FETCH, 11, { replicaId: -1, maxWaitMs: 0, minBytes: 1, topics });
    expect(response.topics[0].partitions[0]).toMatchObject({ errorCode: 75 });
  });

  it('finds topics by id from version 13', async () => {
    await produce(batchOf(['a']));
    const metadata = await client.request(3, 12, { topics: [{ topicId: 'A'.repeat(22), name: 'events' }] });
    const found = await fetch(0, { version: 13, topicId: metadata.topics[0].topicId });
    expect(batchesIn(found.partition.records)).toHaveLength(1);
    expect((await fetch(0, { version: 13, topicId: 'BBBBBBBBBBBBBBBBBBBBBA' })).partition.errorCode).toBe(
      100,
    );
  });

  it('waits for max_wait if there are no records', async () => {
    const response = track(fetch(0, { maxWaitMs: 500 }));
    await clock.advance(499);
    expect(response.value).toBeUndefined();
    await clock.advance(1);
    expect(response.value?.partition).toMatchObject({ errorCode: 0, highWatermark: 0 });
  });

  it.each([
    ['topics', []],
    ['partitions', [{ topic: 'events', partitions: [] }]],
  ])('returns at once without %s, as Java consumers fetch when they close', async (_, topics) => {
    const body = { replicaId: -1, maxWaitMs: 60_000, minBytes: 1, sessionEpoch: -1, topics };
    const response = track(client.request(FETCH, 11, body));
    await settle();
    expect(response.value).toMatchObject({ errorCode: 0 });
  });

  it('ends its wait when min_bytes have been appended', async () => {
    const small = batchOf(['x']).length;
    const timers = clock.pending;
    const response = track(fetch(0, { maxWaitMs: 60_000, minBytes: 2 * small }));
    await settle();
    broker.append('events', [{ value: 'x', partition: 0 }]);
    await settle();
    expect(response.value).toBeUndefined();
    broker.append('events', [{ value: 'x', partition: 0 }]);
    await settle();
    expect(batchesIn(response.value!.partition.records)).toHaveLength(2);
    expect(clock.pending).toBe(timers);
  });

  it('keeps the order of responses behind a request that waits', async () => {
    const order: string[] = [];
    const waiting = fetch(0, { maxWaitMs: 100 }).then(() => order.push('fetch'));
    const second = client.request(18, 0, {}).then(() => order.push('versions'));
    await clock.advance(100);
    await Promise.all([waiting, second]);
    expect(order).toEqual(['fetch', 'versions']);
  });

  it('refuses sessions of other brokers and versions with older record formats', async () => {
    expect((await fetch(0, { sessionId: 5, sessionEpoch: 1 })).errorCode).toBe(70);
    expect((await fetch(0, { sessionId: 0, sessionEpoch: 3 })).errorCode).toBe(70);
    for (const version of [0, 3]) expect((await fetch(0, { version })).partition.errorCode).toBe(35);
  });

  it('leaves no timer behind when the client goes away during a wait', async () => {
    const timers = clock.pending;
    void fetch(0, { maxWaitMs: 60_000 });
    await settle();
    expect(clock.pending).toBe(timers + 1);
    client.close();
    await settle();
    expect(clock.pending).toBe(0);
  });
});

describe('ListOffsets', () => {
  beforeEach(async () => {
    await produce(
      batchOf([
        { value: 'a', timestamp: 1000 },
        { value: 'b', timestamp: 3000 },
      ]),
    );
    await produce(
      batchOf([
        { value: 'c', timestamp: 2000 },
        { value: 'd', timestamp: 4000 },
      ]),
    );
  });

  it.each([
    ['the end', -1, { offset: 4, timestamp: -1 }],
    ['the start', -2, { offset: 0, timestamp: -1 }],
    ['the greatest timestamp', -3, { offset: 3, timestamp: 4000 }],
    ['a time before everything', 1, { offset: 0, timestamp: 1000 }],
    ['a time within a batch', 1001, { offset: 1, timestamp: 3000 }],
    ['a time in the second batch', 3001, { offset: 3, timestamp: 4000 }],
    ['a time after everything', 4001, { offset: -1, timestamp: -1 }],
  ])('returns the offset of %s', async (_, timestamp, expected) => {
    expect(await listOffsets(timestamp)).toMatchObject({ errorCode: 0, ...expected });
  });

  it('returns a list in version 0', async () => {
    expect((await listOffsets(-1, 0)).oldStyleOffsets).toEqual([4, 0]);
    expect((await listOffsets(-2, 0)).oldStyleOffsets).toEqual([0]);
  });

  it('finds no offset in tiered storage', async () => {
    expect(await listOffsets(-5, 9)).toMatchObject({ errorCode: 0, offset: -1, timestamp: -1 });
    expect(await listOffsets(-5, 8)).toMatchObject({ errorCode: 35 });
  });

  it('refuses the greatest timestamp before version 7', async () => {
    expect(await listOffsets(-3, 6)).toMatchObject({ errorCode: 35 });
  });
});

describe('Capacity', () => {
  it('drops the oldest records of a topic with a warning and moves its start offset', async () => {
    await start({ maxTopicBytes: 32_768 });
    const value = 'x'.repeat(900);
    for (let index = 0; index < 100; index += 1) broker.append('events', [{ value, partition: index % 2 }]);
    const bytes = broker.inspect().topics[0]!.partitions.reduce((sum, one) => sum + one.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(32_768);
    const { startOffset, endOffset } = partition();
    expect(endOffset).toBe(50);
    expect(startOffset).toBeGreaterThan(30);
    expect((await fetch(startOffset - 1)).partition.errorCode).toBe(1);
    expect(batchesIn((await fetch(startOffset)).partition.records)[0]).toEqual({
      baseOffset: startOffset,
      count: 1,
    });
    const dropped = log.matching(/records dropped/);
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped[0]).toMatch(/"topic":"events","partition":0,"records":2,.*"maxTopicBytes":32768/);
    expect(dropped.join()).not.toContain(value);
  });

  it('drops the oldest records of all topics above the total limit', async () => {
    await start({ maxTotalBytes: 20_000 });
    broker.topics.create('second', 1);
    for (let index = 0; index < 10; index += 1)
      broker.append('events', [{ value: 'x'.repeat(900), partition: 0 }]);
    for (let index = 0; index < 15; index += 1) broker.append('second', [{ value: 'x'.repeat(900) }]);
    expect(partition().startOffset).toBeGreaterThan(0);
    const total = broker.inspect().topics.flatMap(({ partitions }) => partitions);
    expect(total.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(20_000);
    expect(log.matching(/maxTotalBytes/).length).toBeGreaterThan(0);
  });

  it('applies retention.bytes per partition', async () => {
    await start({ config: { 'retention.bytes': '40000' } });
    for (let index = 0; index < 200; index += 1)
      broker.append('events', [{ value: 'x'.repeat(900), partition: 0 }]);
    expect(partition().startOffset).toBeGreaterThan(0);
    expect(partition().bytes).toBeGreaterThanOrEqual(40_000);
  });

  it('applies no retention.bytes to a topic that is only compacted', async () => {
    await start({ config: { 'retention.bytes': '40000', 'cleanup.policy': 'compact' } });
    for (let index = 0; index < 200; index += 1)
      broker.append('events', [{ value: 'x'.repeat(900), partition: 0 }]);
    expect(partition().startOffset).toBe(0);
  });

  it('leaves the remaining records readable across segments', async () => {
    await start({ maxTopicBytes: 100_000 });
    for (let index = 0; index < 70; index += 1) await produce(batchOf(['x'.repeat(1000)]));
    const seen: number[] = [];
    for (let offset = 0; offset < 70; offset = seen.length) {
      for (const { baseOffset } of batchesIn((await fetch(offset, { maxBytes: 5000 })).partition.records))
        seen.push(baseOffset);
    }
    expect(seen).toEqual(Array.from({ length: 70 }, (_, index) => index));
  });
});

describe('append()', () => {
  const endOffsets = () => broker.inspect().topics[0]?.partitions.map(({ endOffset }) => endOffset);

  it('appends each record to its partition', () => {
    broker.append('events', [
      { value: 'a', partition: 1 },
      { value: 'b', partition: 0 },
      { value: 'c', partition: 1 },
    ]);
    expect(endOffsets()).toEqual([1, 2]);
  });

  it('chooses partitions in turn for records without a key', () => {
    broker.append('events', [{ value: 'a' }, { value: 'b' }, { value: 'c' }]);
    expect(endOffsets()).toEqual([2, 1]);
  });

  it('splits records into batches, and appends nothing if a record is too long', () => {
    const records = Array.from({ length: 30 }, () => ({ value: 'x'.repeat(100_000), partition: 0 }));
    broker.append('events', records);
    expect(endOffsets()).toEqual([30, 0]);
    const tooLong = [
      { value: 'ok', partition: 1 },
      { value: 'x'.repeat(2_000_000), partition: 0 },
    ];
    expect(() => broker.append('events', tooLong)).toThrow(/max.message.bytes/);
    expect(endOffsets()).toEqual([30, 0]);
  });

  it('throws for an unknown topic or partition', () => {
    expect(() => broker.append('evnts', [{ value: 'a' }])).toThrow(/no topic "evnts". Its topics: "events"/);
    expect(() => broker.append('events', [{ value: 'a', partition: 7 }])).toThrow(
      /no partition "7". Choose one from 0 to 1/,
    );
  });
});

async function start(
  options: { maxTopicBytes?: number; maxTotalBytes?: number; config?: Record<string, string> } = {},
): Promise<void> {
  await (broker as Broker | undefined)?.stop();
  const { config = {}, ...caps } = options;
  clock = new ManualClock();
  log = new LogRecorder();
  broker = new Broker({ ...caps, topics: [{ name: 'events', partitions: 2, config }], logger: log, clock });
  client = WireClient.to(broker);
}

function partition() {
  return broker.inspect().topics[0]!.partitions[0]!;
}

function produceBody(records: Buffer, { topic = 'events', index = 0, acks = -1 } = {}) {
  return {
    transactionalId: null,
    acks,
    timeoutMs: 1000,
    topics: [{ name: topic, partitions: [{ index, records }] }],
  };
}

async function produce(
  batch: Buffer,
  options: { version?: number; topic?: string; index?: number } = {},
): Promise<AnyResponse> {
  const response = await client.request(PRODUCE, options.version ?? 9, produceBody(batch, options));
  return response.topics[0].partitions[0];
}

interface Fetched {
  readonly errorCode: number;
  readonly partition: { readonly errorCode: number; readonly records: Buffer };
}

async function fetch(
  fetchOffset: number,
  {
    version = 11,
    maxWaitMs = 0,
    minBytes = 1,
    maxBytes = 1e6,
    partitionMaxBytes = 1e6,
    sessionId = 0,
    sessionEpoch = -1,
    topicId = '',
  } = {},
): Promise<Fetched> {
  const topics = [
    { topic: 'events', topicId, partitions: [{ partition: 0, fetchOffset, partitionMaxBytes }] },
  ];
  const response = await client.request(FETCH, version, {
    replicaId: -1,
    maxWaitMs,
    minBytes,
    maxBytes,
    sessionId,
    sessionEpoch,
    topics,
  });
  return { errorCode: response?.errorCode, partition: response?.topics[0]?.partitions[0] };
}

async function listOffsets(timestamp: number, version = 7): Promise<AnyResponse> {
  const partitions = [{ partition: 0, timestamp, maxOffsets: 2 }];
  const response = await client.request(LIST_OFFSETS, version, {
    replicaId: -1,
    topics: [{ name: 'events', partitions }],
  });
  return response.topics[0].partitions[0];
}

function track<T>(promise: Promise<T>): { value: T | undefined } {
  const tracked: { value: T | undefined } = { value: undefined };
  void promise.then((value) => (tracked.value = value));
  return tracked;
}

function withCount(batch: Buffer, count: number): Buffer {
  batch.writeInt32BE(count, batchLayout.recordCount);
  return checksummed(batch);
}

function withAttributes(batch: Buffer, attributes: number): Buffer {
  batch.writeInt16BE(attributes, batchLayout.attributes);
  return checksummed(batch);
}

import fc from 'fast-check';
import type { KafkaMessage } from 'kafkajs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { codecsOf } from '../../../../src/kafka-protocol/api-table.js';
import { fetchTable } from '../../../../src/kafka-protocol/apis/fetch.js';
import { Reader } from '../../../../src/kafka-protocol/reader.js';
import type { RecordSet } from '../../../../src/kafka-protocol/record-set.js';
import { recordsOf } from '../../../../src/transports/kafka/group/fetch.js';
import type { ConsumerRecord } from '../../../../src/transports/transport.js';
import { cases } from '../../../cases.js';
import { repair } from './changed-batches.js';

describe('the response to a fetch', () => {
  it('yields the records that kafkajs finds, in every version and compression', async () => {
    await fc.assert(
      fc.asyncProperty(fetches, async (fetch) => {
        // If several transactions began before the offset, kafkajs notices them one by one, which is too late.
        fc.pre(abortedIn(fetch).filter(({ first }) => first <= fetch.from).length < 2);
        const raw = await responseTo(fetch);
        const theirs = await kafkajsBatch(raw, fetch);
        const ours = await recordSet(raw, fetch);
        expect(ours.records.map(shown)).toEqual(theirs.messages.map(shownMessage));
        if (ours.last !== undefined) expect(String(ours.last)).toBe(theirs.lastOffset());
        else expect(theirs.rawMessages).toEqual([]);
      }),
      { numRuns: cases(60, 300) },
    );
  });

  it('omits aborted transactions that began before the offset', async () => {
    const one = { ...plain(1), producer: 1 } as const;
    const two = { ...plain(4), producer: 2 } as const;
    const batches = [
      plain(1),
      two,
      one,
      plain(1),
      { ...two, kind: 'abort' },
      { ...one, kind: 'abort' },
    ] as const;
    for (const from of [1, 4, 5]) {
      const fetch = { version: 11, from, batches };
      const { records } = await recordSet(await responseTo(fetch), fetch);
      expect(records.map(({ offset }) => offset)).toEqual([6]);
    }
  });

  it('omits a batch that a limit has truncated', async () => {
    const fetch = { version: 11, from: 0, batches: [plain(2), plain(3)] };
    const { records, last } = await recordSet(await responseTo(fetch, { cut: -1 }), fetch);
    expect(records.map(({ offset }) => offset)).toEqual([0, 1]);
    expect(last).toBe(1);
  });

  it('reads a header without a value as an empty one', async () => {
    const headers = [['a', 'x']] as const;
    const batch = { ...plain(1), records: [{ key: null, value: 'v', headers, delta: 0 }] };
    const fetch = { version: 11, from: 0, batches: [batch] };
    // Its length, and its only byte, which is then the rest of the record.
    const raw = await responseTo(fetch, { change: (bytes) => void (bytes[bytes.lastIndexOf('x') - 1] = 1) });
    const [record] = (await recordSet(raw, fetch)).records;
    expect(record!.headers.get('a')).toEqual(Buffer.alloc(0));
    expect([...record!.headers]).toEqual([['a', Buffer.alloc(0)]]);
    expect(record!.headers.get('b')).toBeUndefined();
  });

  it.each([
    ['a record reaches beyond its batch', 'key', 5],
    ['a value reaches beyond its record', 'value', 1],
  ])('fails when %s', async (_, word, back) => {
    const fetch = { version: 11, from: 0, batches: [plain(1)] };
    // A zigzag length: one more.
    const raw = await responseTo(fetch, {
      change: (bytes) => void (bytes[bytes.lastIndexOf(word) - back]! += 4),
    });
    await expect(recordSet(raw, fetch)).rejects.toThrow(/batch at offset 0 has a record that reaches beyond/);
  });

  it('fails when a byte of a batch has changed', async () => {
    const fetch = { version: 11, from: 0, batches: [plain(3)] };
    const raw = await responseTo(fetch);
    raw[raw.length - 2]! ^= 1;
    await expect(recordSet(raw, fetch)).rejects.toThrow(/batch at offset 0 has a wrong checksum/);
  });

  it('decodes or fails in bounded time, for random bytes', async () => {
    const fetch = { version: 11, from: 0, batches: [plain(3), plain(2)] };
    const { length } = await responseTo(fetch);
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.nat(255), fc.boolean(), async (at, byte, isRepaired) => {
        const change = (bytes: Buffer) => void (bytes[at % bytes.length] = byte);
        const raw = await responseTo(fetch, isRepaired ? { change } : {});
        if (!isRepaired) raw[at] = byte;
        try {
          const { records } = await recordSet(raw, fetch);
          for (const { headers } of records) expect([...headers].length).toBeLessThan(64);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: cases(100, 500) },
    );
  });
});

interface Batch {
  /** Of the producer; none without transactions. */
  readonly producer: 1 | 2 | undefined;
  readonly kind: 'data' | 'commit' | 'abort';
  readonly gzip: boolean;
  readonly isStamped: boolean;
  readonly records: readonly {
    readonly key: string | null;
    readonly value: string | null;
    readonly headers: readonly (readonly [string, string])[];
    /** To the timestamp before. */
    readonly delta: number;
  }[];
}

interface Fetch {
  readonly version: number;
  readonly from: number;
  readonly batches: readonly Batch[];
}

interface DecodedBatch {
  readonly messages: KafkaMessage[];
  readonly rawMessages: readonly unknown[];
  lastOffset(): string;
}

interface Response {
  decode(raw: Buffer): Promise<{ responses: { topicName: string; partitions: object[] }[] }>;
}

interface Encoder {
  readonly buffer: Buffer;
  writeInt8(value: number): Encoder;
  writeInt16(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeInt64(value: number): Encoder;
  writeString(value: string): Encoder;
  writeBytes(value: Buffer): Encoder;
  writeArray(values: readonly Encoder[]): Encoder;
}

const require = createRequire(import.meta.url);
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
const inside = <T>(path: string) => require(`kafkajs/src/${path}`) as T;
const FetchedBatch =
  inside<new (topic: string, from: string, data: object) => DecodedBatch>('consumer/batch');
const Encoding = inside<new () => Encoder>('protocol/encoder');
const { RecordBatch } = inside<{ RecordBatch(options: object): Promise<Encoder> }>('protocol/recordBatch/v0');
const encodedRecord = inside<(record: object) => Encoder>('protocol/recordBatch/record/v0');
const responseOf = (version: number) => inside<Response>(`protocol/requests/fetch/v${version}/response`);

const text = fc.string({ maxLength: 12 });
const record = fc.record({
  key: fc.option(text),
  value: fc.option(
    fc.oneof(
      text,
      fc.constantFrom(64, 8_191, 8_192).map((size) => 'v'.repeat(size)),
    ),
  ),
  headers: fc.array(fc.tuple(fc.constantFrom('event-type', 'event-id', '1', ''), text), { maxLength: 4 }),
  delta: fc.constantFrom(0, 1, -1, 63, 64, 8_192, 1_048_576, 2 ** 31, 2 ** 40),
});
const batch: fc.Arbitrary<Batch> = fc.record({
  producer: fc.constantFrom(undefined, 1, 2),
  kind: fc.constantFrom('data', 'data', 'commit', 'abort'),
  gzip: fc.boolean(),
  isStamped: fc.boolean(),
  records: fc.array(record, { minLength: 1, maxLength: 5 }),
});
const fetches: fc.Arbitrary<Fetch> = fc.record({
  version: fc.integer({ min: 4, max: 11 }),
  from: fc.nat(8),
  batches: fc.array(batch, { maxLength: 8 }),
});

function plain(count: number): Batch {
  const each = { key: 'key', value: 'value', headers: [], delta: 1 };
  const records = Array.from({ length: count }, () => each);
  return { producer: undefined, kind: 'data', gzip: false, isStamped: false, records };
}

/** Of each batch its first offset and how many records it has. */
function placesOf(batches: readonly Batch[]) {
  let next = 0;
  return batches.map((each) => {
    const count = isMarker(each) ? 1 : each.records.length;
    next += count;
    return { ...each, first: next - count, count };
  });
}

function isMarker({ producer, kind }: Batch): boolean {
  return producer !== undefined && kind !== 'data';
}

/** Aborted transactions that reach beyond the position, in the order in which they were begun. */
function abortedIn({ batches, from }: Fetch) {
  const begun = new Map<number, number>();
  const aborted: { readonly producer: number; readonly first: number }[] = [];
  for (const each of placesOf(batches)) {
    const { producer, kind, first } = each;
    if (producer === undefined) continue;
    const beginning = begun.get(producer);
    if (!isMarker(each)) begun.set(producer, beginning ?? first);
    else {
      begun.delete(producer);
      if (kind === 'abort' && beginning !== undefined && first >= from)
        aborted.push({ producer, first: beginning });
    }
  }
  return aborted.sort((one, other) => one.first - other.first);
}

/**
 * Returns a broker's response: whole batches from the one of the offset. `change` changes the first one, and `cut` removes
 * the end of the last.
 */
async function responseTo(
  fetch: Fetch,
  { cut, change }: { readonly cut?: number; readonly change?: (batch: Buffer) => void } = {},
): Promise<Buffer> {
  const { version, from, batches } = fetch;
  const places = placesOf(batches);
  const wanted = places.filter(({ first, count }) => first + count > from);
  const sent = await Promise.all(wanted.map(encoded));
  if (change !== undefined) {
    change(sent[0]!);
    repair(sent[0]!);
  }
  const end = places.reduce((sum, { count }) => sum + count, 0);
  const partition = new Encoding().writeInt32(3).writeInt16(0).writeInt64(end).writeInt64(end);
  if (version >= 5) partition.writeInt64(0);
  partition.writeArray(
    abortedIn(fetch).map(({ producer, first }) => new Encoding().writeInt64(producer).writeInt64(first)),
  );
  if (version >= 11) partition.writeInt32(-1);
  partition.writeBytes(Buffer.concat(sent).subarray(0, cut));
  const response = new Encoding().writeInt32(7);
  if (version >= 7) response.writeInt16(0).writeInt32(0);
  return response.writeArray([new Encoding().writeString('events').writeArray([partition])]).buffer;
}

async function encoded(batch: ReturnType<typeof placesOf>[number]): Promise<Buffer> {
  const { producer, kind, gzip, isStamped, records, first, count } = batch;
  const marker = { key: Buffer.from([0, 0, 0, kind === 'abort' ? 0 : 1]), value: Buffer.alloc(6) };
  const contents = records.map(({ key, value, headers, delta }, n) => ({
    offsetDelta: n,
    timestampDelta: delta,
    key: key && Buffer.from(key),
    value: value && Buffer.from(value),
    headers: grouped(headers),
  }));
  const { buffer } = await RecordBatch({
    compression: gzip ? 1 : 0,
    firstOffset: first,
    firstTimestamp: 1_700_000_000_000,
    maxTimestamp: 1_800_000_000_000,
    lastOffsetDelta: count - 1,
    transactional: producer !== undefined,
    producerId: producer ?? -1,
    records: (isMarker(batch) ? [marker] : contents).map((each) => encodedRecord(each)),
  });
  buffer[22]! |= (isMarker(batch) ? 0x20 : 0) | (isStamped ? 0x08 : 0);
  repair(buffer);
  return buffer;
}

function grouped(headers: Batch['records'][number]['headers']): Record<string, Buffer[]> {
  const groups: Record<string, Buffer[]> = {};
  for (const [name, value] of headers) (groups[name] ??= []).push(Buffer.from(value));
  return groups;
}

/** Decodes a response with kafkajs. */
async function kafkajsBatch(raw: Buffer, { version, from }: Fetch): Promise<DecodedBatch> {
  const { responses } = await responseOf(version).decode(raw);
  return new FetchedBatch('events', String(from), responses[0]!.partitions[0]!);
}

function recordSet(raw: Buffer, { version, from }: Fetch): Promise<RecordSet> {
  const { topics } = codecsOf(fetchTable).responseCodec(version).read(new Reader(raw));
  const { topic, partitions } = topics[0]!;
  const { abortedTransactions, records, ...fetched } = partitions[0]!;
  return recordsOf({ ...fetched, topic, aborted: abortedTransactions ?? [], bytes: records! }, from);
}

function shownMessage({ offset, timestamp, key, value, headers = {} }: KafkaMessage) {
  const names = Object.keys(headers).sort();
  const valuesOf = (name: string) => [headers[name]].flat().map((bytes) => utf8((bytes ?? '') as Buffer));
  return {
    place: ['events', 3, Number(offset), Number(timestamp)],
    key: key && utf8(key),
    value: value && utf8(value),
    headers: names.map((name) => [name, valuesOf(name), valuesOf(name).at(-1)]),
  };
}

function shown({ topic, partition, offset, timestamp, key, value, headers }: ConsumerRecord) {
  const names = [...new Set([...headers].map(([name]) => name))].sort();
  const valuesOf = (name: string) =>
    [...headers].filter((each) => each[0] === name).map(([, bytes]) => utf8(bytes));
  return {
    place: [topic, partition, offset, timestamp],
    key: key && utf8(key),
    value: value && utf8(value),
    headers: names.map((name) => [name, valuesOf(name), utf8(headers.get(name)!)]),
  };
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { BusbarError } from '../../../src/base/errors.js';
import { silentLogger } from '../../../src/base/logger.js';
import type {
  ConsumerRecord,
  DeadLetterCause,
  Partition,
  Subscription,
  Transport,
  TransportCapabilities,
} from '../../../src/transports/transport.js';
import { type Collector, collector } from './collector.js';

/**
 * What a transport brings to be examined by {@link describeTransport}. Everything is real: `start` starts the server
 * that the transport talks to, on a free port.
 */
export interface TransportHarness {
  /** Expected capabilities. Tests of absent capabilities are reported as skipped. */
  readonly capabilities: TransportCapabilities;
  /** Aspects that the transport cannot have, each with the reason, which is printed with the skipped tests. */
  readonly skips?: Partial<Record<SkippableAspect, string>>;
  /** A fresh, empty source. The suite stops it after the test. */
  start(): Promise<SourceUnderTest>;
  /** A transport to an address without a server, and the text by which the error must name it. */
  unreachable?(): Promise<{ transport: Transport; address: string }>;
}

/** Properties of one kind of wire that not every other has. */
export type SkippableAspect =
  | 'binary values'
  | 'binary keys'
  | 'keyless records'
  | 'tombstones'
  | 'binary headers'
  | 'repeated headers'
  | 'order of headers'
  | 'end'
  | 'failure to connect';

/** One running source with what consumers read from it. */
export interface SourceUnderTest {
  /** A transport to this source. All of them are the same consumer: positions are shared, one runs at a time. */
  transport(): Transport;
  /** Sends in order; resolves when the source has them. Records of a key go to one partition. */
  send(records: readonly SentRecord[]): Promise<void>;
  /** Ends the source: no record follows. Required unless `end` is skipped. */
  end?(): Promise<void>;
  /** Returns the dead letters. Required if the transport has dead letters. */
  deadLetters?(): Promise<readonly SetAside[]>;
  stop(): Promise<void>;
}

export interface SentRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [name: string, value: Uint8Array])[];
}

export interface SetAside extends SentRecord {
  readonly cause: Pick<DeadLetterCause, 'code' | 'message' | 'attempts'>;
}

/** The conformance suite: the behaviour of every transport on which a run relies. */
export function describeTransport(name: string, harness: TransportHarness): void {
  const { capabilities, skips = {} } = harness;

  /** A test that reports its reason when the transport cannot have what it is about. */
  const itWith = (needs: readonly Need[], title: string, body: () => Promise<void>) => {
    const reason = needs
      .map((need) =>
        need in capabilities && !capabilities[need as Capability]
          ? `declares no ${need}`
          : skips[need as SkippableAspect],
      )
      .find((text) => text !== undefined);
    if (reason === undefined) it(title, body);
    else it.skip(`${title} (skipped: ${reason})`, body);
  };

  const source = async (): Promise<SourceUnderTest> => {
    const started = await harness.start();
    onTestFinished(() => started.stop());
    return started;
  };

  const open = async (from: SourceUnderTest, receiver: Collector): Promise<Subscription> => {
    const subscription = await from.transport().open(receiver, { clock: systemClock, logger: silentLogger });
    onTestFinished(() => subscription.stop());
    receiver.attach(subscription);
    return subscription;
  };

  describe(`transport ${name}`, () => {
    it('declares the tested capabilities', async () => {
      const transport = (await source()).transport();
      expect(transport.capabilities).toEqual(capabilities);
      expect(transport.name).toMatch(/^[a-z]+$/);
    });

    describe('delivery', () => {
      it('delivers each record once, with its value, key and headers', async () => {
        const from = await source();
        const sent = [0, 1, 2].map((n) =>
          record('key-a', `value ${n}`, [['event-type', bytes(`type ${n}`)]]),
        );
        await from.send(sent);
        const receiver = collector();
        await open(from, receiver);
        expect((await receiver.received(3)).map(contents)).toEqual(sent);
        expect(receiver.records[0]!.headers.get('absent')).toBeUndefined();
      });

      it('delivers records that are sent while it runs', async () => {
        const from = await source();
        const receiver = collector();
        await open(from, receiver);
        await from.send([record('key-a', 'late')]);
        expect((await receiver.received(1)).map(contents)).toEqual([record('key-a', 'late')]);
      });

      itWith(['keys'], 'keeps the order of every key', async () => {
        const from = await source();
        const keys = ['key-a', 'key-b', 'key-c', 'key-d', 'key-e', 'key-f', 'key-g'];
        await from.send(Array.from({ length: 700 }, (_, n) => record(keys[n % keys.length]!, String(n))));
        const receiver = collector();
        await open(from, receiver);
        const received = await receiver.received(700);
        for (const [at, key] of keys.entries()) {
          const numbers = received
            .filter((each) => text(each.key) === key)
            .map((each) => Number(text(each.value)));
          expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n * keys.length + at));
        }
      });

      it('passes growing offsets, and the same partition object each time', async () => {
        const from = await source();
        await from.send(numbered(300));
        const receiver = collector();
        await open(from, receiver);
        await receiver.received(300);
        const last = new Map<string, { partition: Partition; offset: number }>();
        for (const { partition, records } of receiver.batches) {
          for (const each of records) {
            const before = last.get(`${each.topic}/${each.partition}`);
            if (before !== undefined) {
              expect(partition).toBe(before.partition);
              expect(each.offset).toBeGreaterThan(before.offset);
            }
            expect(each).toMatchObject({ topic: partition.topic, partition: partition.partition });
            last.set(`${each.topic}/${each.partition}`, { partition, offset: each.offset });
          }
        }
        expect(last.size).toBeGreaterThan(0);
      });

      it('sets the timestamp to the time of sending', async () => {
        const from = await source();
        const before = Date.now();
        await from.send([record('key-a', 'value')]);
        const receiver = collector();
        await open(from, receiver);
        const [only] = await receiver.received(1);
        expect(only!.timestamp).toBeGreaterThanOrEqual(before - 1);
        expect(only!.timestamp).toBeLessThanOrEqual(Date.now() + 1);
      });

      it('delivers an empty value as empty', async () => {
        const from = await source();
        await from.send([record('key-a', '')]);
        const receiver = collector();
        await open(from, receiver);
        expect((await receiver.received(1))[0]!.value).toHaveLength(0);
      });

      itWith(['tombstones'], 'delivers a tombstone as null', async () => {
        const from = await source();
        await from.send([{ key: bytes('key-a'), value: null, headers: [] }]);
        const receiver = collector();
        await open(from, receiver);
        expect((await receiver.received(1))[0]!.value).toBeNull();
      });

      itWith(['keyless records'], 'delivers a record without a key with the key null', async () => {
        const from = await source();
        await from.send([{ key: null, value: bytes('value'), headers: [] }]);
        const receiver = collector();
        await open(from, receiver);
        expect((await receiver.received(1))[0]!.key).toBeNull();
      });

      itWith(['binary values'], 'delivers values that are not text, byte for byte', async () => {
        const from = await source();
        await from.send([{ key: bytes('key-a'), value: notText, headers: [] }]);
        const receiver = collector();
        await open(from, receiver);
        expect(Buffer.from((await receiver.received(1))[0]!.value!)).toEqual(notText);
      });

      itWith(['binary keys'], 'delivers keys that are not text, byte for byte', async () => {
        const from = await source();
        await from.send([{ key: notText, value: bytes('value'), headers: [] }]);
        const receiver = collector();
        await open(from, receiver);
        expect(Buffer.from((await receiver.received(1))[0]!.key!)).toEqual(notText);
      });

      itWith(['binary headers'], 'delivers headers that are not text, byte for byte', async () => {
        const from = await source();
        const sent = record('key-a', 'value', [['trace', notText]]);
        await from.send([sent]);
        const receiver = collector();
        await open(from, receiver);
        expect(contents((await receiver.received(1))[0]!)).toEqual(sent);
      });

      itWith(
        ['repeated headers'],
        'delivers a header as often as it was sent; get gives the last',
        async () => {
          const from = await source();
          await from.send([repeating]);
          const receiver = collector();
          await open(from, receiver);
          const [only] = await receiver.received(1);
          expect(contents(only!).headers.filter(([name]) => name === 'hop')).toEqual([
            ['hop', bytes('one')],
            ['hop', bytes('two')],
          ]);
          expect(text(only!.headers.get('hop')!)).toBe('two');
        },
      );

      itWith(['repeated headers', 'order of headers'], 'keeps the order of headers that repeat', async () => {
        const from = await source();
        await from.send([repeating]);
        const receiver = collector();
        await open(from, receiver);
        expect((await receiver.received(1)).map(contents)).toEqual([repeating]);
      });
    });

    describe('back-pressure', () => {
      it('continues at the first refused record, only after resume', async () => {
        const from = await source();
        await from.send(numbered(50, 'key-a'));
        const receiver = collector({ room: 7 });
        await open(from, receiver);
        const { partition } = await receiver.refusal();
        await from.send(numbered(10, 'key-a', 50));
        await turns();
        expect(receiver.records.length).toBe(7);
        expect(receiver.pressed).toBe(false);
        receiver.makeRoom(Number.POSITIVE_INFINITY);
        receiver.resume(partition);
        expect((await receiver.received(60)).map((each) => text(each.value))).toEqual(numbers(60));
      });

      it('offers the same records again when none was taken', async () => {
        const from = await source();
        await from.send(numbered(20, 'key-a'));
        const receiver = collector({ room: 0 });
        await open(from, receiver);
        for (let round = 0; round < 3; round++) {
          const { partition } = await receiver.refusal();
          expect(receiver.records).toEqual([]);
          if (round === 2) receiver.makeRoom(Number.POSITIVE_INFINITY);
          receiver.resume(partition);
        }
        expect((await receiver.received(20)).map((each) => text(each.value))).toEqual(numbers(20));
      });

      it('keeps the order when the receiver takes one record at a time', async () => {
        const from = await source();
        await from.send(numbered(40, 'key-a'));
        const receiver = collector({ room: 1, resumeAtOnce: true });
        await open(from, receiver);
        expect((await receiver.received(40)).map((each) => text(each.value))).toEqual(numbers(40));
        expect(receiver.reentered).toBe(false);
      });
    });

    describe('positions', () => {
      itWith(['commit'], 'does not deliver to the next run what was committed', async () => {
        const from = await source();
        await from.send(numbered(20, 'key-a'));
        const first = collector();
        const run = await open(from, first);
        const [, , , , , , , eighth] = await first.received(20);
        run.commit(first.batches[0]!.partition, eighth!.offset);
        await run.stop();

        const second = collector();
        await open(from, second);
        const again = await second.received(13);
        expect(again.map((each) => text(each.value))).toEqual(numbers(20).slice(7));
        expect(again[0]!.offset).toBe(eighth!.offset);
      });

      itWith(['redelivery'], 'delivers to the next run what was not committed', async () => {
        const from = await source();
        await from.send(numbered(20, 'key-a'));
        const first = collector();
        const run = await open(from, first);
        await first.received(20);
        await run.stop();

        const second = collector();
        await open(from, second);
        expect((await second.received(20)).map((each) => text(each.value))).toEqual(numbers(20));
      });

      itWith(['commit'], 'delivers records that are sent between two runs', async () => {
        const from = await source();
        await from.send(numbered(5, 'key-a'));
        const first = collector();
        const run = await open(from, first);
        const last = (await first.received(5)).at(-1)!;
        run.commit(first.batches[0]!.partition, last.offset + 1);
        await run.stop();

        await from.send([record('key-a', 'between')]);
        const second = collector();
        await open(from, second);
        expect((await second.received(1)).map((each) => text(each.value))).toEqual(['between']);
      });
    });

    describe('stop', () => {
      it('resolves repeatedly, and no delivery follows', async () => {
        const from = await source();
        await from.send(numbered(3, 'key-a'));
        const stopped = collector();
        const subscription = await open(from, stopped);
        const last = (await stopped.received(3)).at(-1)!;
        subscription.commit(stopped.batches[0]!.partition, last.offset + 1);
        await Promise.all([subscription.stop(), subscription.stop()]);
        await subscription.stop();

        await from.send([record('key-a', 'after')]);
        const next = collector();
        await open(from, next);
        await next.received(1);
        expect(stopped.records).toHaveLength(3);
        expect(stopped.ends + stopped.failures.length).toBe(0);
      });

      it('tolerates late calls after the end of a run', async () => {
        const from = await source();
        await from.send(numbered(10, 'key-a'));
        const receiver = collector({ room: 4 });
        const subscription = await open(from, receiver);
        const { partition } = await receiver.refusal();
        await subscription.stop();
        receiver.makeRoom(Number.POSITIVE_INFINITY);
        subscription.resume(partition);
        subscription.commit(partition, receiver.records[3]!.offset + 1);
        await turns();
        expect(receiver.records).toHaveLength(4);
      });
    });

    describe('end', () => {
      itWith(['end'], 'happens once, after the last record was taken', async () => {
        const from = await source();
        await from.send(numbered(30, 'key-a'));
        await from.end!();
        const receiver = collector({ room: 10 });
        await open(from, receiver);
        const { partition } = await receiver.refusal();
        await turns();
        expect(receiver).toMatchObject({ ends: 0, pressed: false });
        receiver.makeRoom(Number.POSITIVE_INFINITY);
        receiver.resume(partition);
        await receiver.ended();
        expect(receiver.records).toHaveLength(30);
        await turns();
        expect(receiver.ends).toBe(1);
      });

      itWith(['end'], 'reaches a run that waits for records', async () => {
        const from = await source();
        const receiver = collector();
        await open(from, receiver);
        await from.end!();
        await receiver.ended();
        expect(receiver.records).toEqual([]);
      });
    });

    describe('dead letters', () => {
      itWith(['deadLetters'], 'contain bytes, key and headers of the record', async () => {
        const from = await source();
        const sent: SentRecord = {
          key: bytes('key-a'),
          value: notText,
          headers: [['event-type', bytes('x')]],
        };
        await from.send([sent]);
        const receiver = collector();
        const subscription = await open(from, receiver);
        const [only] = await receiver.received(1);
        const cause = { code: 'invalid-event', message: 'Event "x" is invalid.', event: 'x', attempts: 0 };
        await subscription.deadLetter!(only!, cause);
        const [aside, ...others] = await from.deadLetters!();
        expect(others).toEqual([]);
        expect({ key: plain(aside!.key), value: plain(aside!.value) }).toEqual({
          key: sent.key,
          value: sent.value,
        });
        expect(aside!.headers.map(([header, value]) => [header, plain(value)])).toEqual(
          expect.arrayContaining([['event-type', bytes('x')]]),
        );
        expect(aside!.cause).toMatchObject({ code: cause.code, message: cause.message, attempts: 0 });
      });

      it('exist exactly if they are declared', async () => {
        const subscription = await open(await source(), collector());
        expect(typeof subscription.deadLetter).toBe(capabilities.deadLetters ? 'function' : 'undefined');
      });
    });

    itWith(['failure to connect'], 'names the address that it could not reach', async () => {
      const { transport, address } = await harness.unreachable!();
      const opening = transport.open(collector(), { clock: systemClock, logger: silentLogger });
      const error: unknown = await opening.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(BusbarError);
      expect(error).toMatchObject({ code: 'connection-failed' });
      expect((error as BusbarError).message).toContain(address);
    });
  });
}

type Capability = keyof TransportCapabilities;
type Need = Capability | SkippableAspect;

/** Not UTF-8, with a zero byte and a line break inside. */
const notText = Buffer.from([0xff, 0x00, 0x0a, 0xc3, 0x28, 0x80]);

const bytes = (value: string) => Buffer.from(value);
const repeating = record('key-a', 'value', [
  ['hop', bytes('one')],
  ['other', bytes('x')],
  ['hop', bytes('two')],
]);
const text = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value).toString());
const plain = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

function record(key: string, value: string, headers: SentRecord['headers'] = []): SentRecord {
  return { key: bytes(key), value: bytes(value), headers };
}

function numbered(count: number, key?: string, first = 0): SentRecord[] {
  return Array.from({ length: count }, (_, n) => record(key ?? `key-${n % 5}`, String(first + n)));
}

function contents(received: ConsumerRecord): SentRecord {
  return {
    key: plain(received.key),
    value: plain(received.value),
    headers: Array.from(received.headers, ([header, value]) => [header, Buffer.from(value)] as const),
  };
}

/** Gives the event loop every chance to deliver what must not come. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 25; turn++) {
    const { port1, port2 } = new MessageChannel();
    const arrived = once(port2, 'message');
    port1.postMessage(turn);
    await arrived;
    port1.close();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

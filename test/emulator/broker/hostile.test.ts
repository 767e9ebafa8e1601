import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apis } from '../../../emulator/broker/apis/all.js';
import { Broker } from '../../../emulator/broker/broker.js';
import { cases } from '../../cases.js';
import { liveMemory } from '../../live-memory.js';
import { messages } from './arbitrary-messages.js';
import { goldenRequests } from './golden/golden.js';
import { numberedMessage } from './golden/numbered-messages.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { encodeRequest, framed, WireClient } from './wire-client.js';

const FRAMES = cases(2_000, 1_000_000);
const FRAMES_PER_RUN = 250;
const MEGABYTE = 1024 * 1024;

let broker: Broker;
let log: LogRecorder;

beforeEach(() => {
  log = new LogRecorder();
  broker = new Broker({
    topics: [{ name: 'events', partitions: 2 }],
    logger: log,
    maxTopicBytes: 4 * MEGABYTE,
    maxTotalBytes: 8 * MEGABYTE,
  });
});
afterEach(() => broker.stop());

describe('hostile input', () => {
  it.each([
    ['a negative frame length', 'ffffffff', /a frame of -1 bytes is announced/],
    ['the lowest frame length', '80000000', /a frame of -2147483648 bytes is announced/],
    [
      'a frame length above the limit',
      '7fffffff',
      /a frame of 2147483647 bytes is announced, 0 to 104857600 are allowed/,
    ],
    ['a TLS handshake', '16030101' + '000100', /the client speaks TLS, but this listener does not/],
    ['an empty frame', '00000000', /2 bytes are announced at 0 but 0 are left/],
    [
      'an API key that does not exist',
      '0000000a' + '7fff0000' + '00000001' + 'ffff',
      /API key 32767 .* is not served/,
    ],
    ['a negative API key', '0000000a' + 'ffff0000' + '00000001' + 'ffff', /API key -1/],
    [
      'a version that does not exist',
      '0000000a' + '00030063' + '00000001' + 'ffff',
      /Metadata version 99 is not served/,
    ],
    [
      'a client id longer than the frame',
      '0000000a' + '00030001' + '00000001' + '7fff',
      /32767 bytes are announced/,
    ],
    [
      'an array longer than the frame',
      '0000000e' + '00030001' + '00000001' + 'ffff' + '7fffffff',
      /2147483647 elements/,
    ],
  ])('closes the connection and logs the reason: %s', async (_, hex, reason) => {
    const client = WireClient.to(broker);
    client.raw(Buffer.from(hex, 'hex'));
    await client.closed;
    expect(log.matching(/^warn connection closed/)).toHaveLength(1);
    expect(log.lines[0]).toMatch(reason);
  });

  it('causes at most ten log lines a second, then one with the number of skipped ones', async () => {
    await broker.stop();
    const clock = new ManualClock();
    broker = new Broker({ clock, logger: log });
    const offend = async () => {
      const client = WireClient.to(broker);
      client.raw(Buffer.from('ffffffff', 'hex'));
      await client.closed;
    };
    for (let turn = 0; turn < 30; turn += 1) await offend();
    expect(log.lines).toHaveLength(10);
    await clock.advance(1000);
    await offend();
    expect(log.lines.at(-1)).toContain('"skippedReports":20');
  });

  it('does not delay a second connection', async () => {
    const witness = WireClient.to(broker);
    const attacker = WireClient.to(broker);
    const question = Buffer.from('00030001' + '00000001' + 'ffff' + 'ffffffff', 'hex');
    const answerLength = 4 + (await attacker.bytes(question))!.length;
    // Ten thousand requests in one piece, and a frame that never ends.
    const requests = 10_000;
    let answered = 0;
    const flooded = new Promise<void>((resolve) => {
      attacker.stream.on('data', (chunk: Buffer) => {
        answered += chunk.length / answerLength;
        if (answered >= requests) resolve();
      });
    });
    attacker.raw(Buffer.concat(Array.from({ length: requests }, () => framed(question))));
    const othersTurn = new Promise<number>((resolve) => setImmediate(() => resolve(answered)));
    WireClient.to(broker).raw(Buffer.concat([Buffer.from('06000000', 'hex'), Buffer.alloc(MEGABYTE)]));
    expect(await witness.request(3, 1, { topics: null })).toMatchObject({ topics: [{ name: 'events' }] });
    expect(await othersTurn).toBeLessThan(requests / 2);
    await flooded;
  });

  it('stays unread while a client does not read its responses', async () => {
    const client = WireClient.to(broker);
    broker.append('events', [{ value: 'x'.repeat(500_000), partition: 0 }]);
    client.stream.pause();
    const partitions = [{ partition: 0, fetchOffset: 0, partitionMaxBytes: MEGABYTE }];
    const body = { replicaId: -1, maxWaitMs: 0, minBytes: 1, topics: [{ topic: 'events', partitions }] };
    const responses = Array.from({ length: 50 }, () => client.request(1, 11, body));
    await settle();
    expect(client.stream.readableLength).toBeLessThan(2 * MEGABYTE);
    client.stream.resume();
    for (const response of await Promise.all(responses))
      expect(response.topics[0].partitions[0].records).toHaveLength(500_072);
  });

  it('gets no large buffers before the client has authenticated', async () => {
    await broker.stop();
    broker = new Broker({ sasl: { users: { user: 'secret' } }, logger: log });
    const client = WireClient.to(broker);
    client.raw(Buffer.from('00080001', 'hex'));
    await client.closed;
    expect(log.lines[0]).toMatch(/a frame of 524289 bytes is announced, 0 to 524288 are allowed/);
  });

  it(`${FRAMES} mutated frames of real clients cause no crash, hang or memory leak`, async () => {
    const witness = WireClient.to(broker);
    const memoryBefore = liveMemory().withBuffers;
    let attacker = WireClient.to(broker);
    let answered = 0;
    let closed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileFrames(), { minLength: FRAMES_PER_RUN, maxLength: FRAMES_PER_RUN }),
        async (all) => {
          for (const bytes of all) {
            if (attacker.stream.destroyed) attacker = WireClient.to(broker);
            const outcome = await send(attacker, bytes);
            if (outcome === 'answered') answered += 1;
            else attacker.close(); // it waits for a poll, a group, or the rest of a frame
            if (outcome === 'closed') closed += 1;
          }
          expect(await witness.request(3, 1, { topics: [{ name: 'events' }] })).toMatchObject({
            topics: [{ errorCode: 0 }],
          });
        },
      ),
      { numRuns: Math.ceil(FRAMES / FRAMES_PER_RUN), endOnFailure: true },
    );
    // Enough frames pass the first check.
    expect(answered).toBeGreaterThan(FRAMES / 5);
    expect(closed).toBeGreaterThan(FRAMES / 20);
    expect(log.matching(/^error/)).toEqual([]);
    const held = broker.inspect().topics.flatMap(({ partitions }) => partitions.map(({ bytes }) => bytes));
    expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(8 * MEGABYTE);
    expect(liveMemory().withBuffers - memoryBefore).toBeLessThan(60 * MEGABYTE);
  });
});

async function send(client: WireClient, bytes: Buffer): Promise<'answered' | 'closed' | 'waiting'> {
  const outcome: { is: 'answered' | 'closed' | 'waiting' } = { is: 'waiting' };
  void client.next().then((frame) => (outcome.is = frame ? 'answered' : 'closed'));
  client.raw(bytes);
  for (let turn = 0; turn < 12 && outcome.is === 'waiting'; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return outcome.is;
}

/** Requests of real clients and of each API with one or two corruptions, valid requests without sense, and some random bytes. */
function hostileFrames(): fc.Arbitrary<Buffer> {
  const golden = [
    ...goldenRequests().map(({ bytes }) => bytes),
    ...[...apis.values()].map(({ key, maxVersion, request }) =>
      encodeRequest(key, maxVersion, 1, numberedMessage(request, maxVersion, 'full'), 'fuzz'),
    ),
  ];
  const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const mutation = fc.oneof(
    fc.record({ kind: fc.constant('flip' as const), position, byte: fc.integer({ min: 1, max: 255 }) }),
    fc.record({
      kind: fc.constant('number' as const),
      position,
      number: fc.constantFrom(-1, 0, 1, 0x7fffffff, -0x80000000),
    }),
    fc.record({ kind: fc.constant('cut' as const), position }),
    fc.record({ kind: fc.constant('insert' as const), position, noise: fc.uint8Array({ maxLength: 40 }) }),
    fc.record({ kind: fc.constant('version' as const), version: fc.integer({ min: -1, max: 14 }) }),
    fc.record({ kind: fc.constant('splice' as const), position, other: fc.constantFrom(...golden) }),
  );
  const mutated = fc
    .tuple(fc.constantFrom(...golden), fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([original, mutations]) => {
      let bytes: Buffer = Buffer.from(original);
      for (const one of mutations) bytes = mutate(bytes, one);
      return framed(bytes);
    });
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => framed(Buffer.from(bytes)));
  const wrongLength = fc
    .tuple(fc.constantFrom(...golden), fc.constantFrom(-1, 0, 5, 0x7fffffff, 104_857_601, 104_857_600))
    .map(([bytes, length]) => {
      const frame = framed(bytes);
      frame.writeInt32BE(length);
      return frame;
    });
  const senseless = fc.oneof(
    ...[...apis.values()].flatMap((api) =>
      [api.minVersion, api.maxVersion].map((version) =>
        messages(api.request, version).map((body) =>
          framed(encodeRequest(api.key, version, 1, body, 'fuzz')),
        ),
      ),
    ),
  );
  return fc.oneof(
    { arbitrary: mutated, weight: 14 },
    { arbitrary: senseless, weight: 8 },
    { arbitrary: noise, weight: 1 },
    { arbitrary: wrongLength, weight: 1 },
  );
}

type Mutation =
  | { kind: 'flip'; position: number; byte: number }
  | { kind: 'number'; position: number; number: number }
  | { kind: 'cut'; position: number }
  | { kind: 'insert'; position: number; noise: Uint8Array }
  | { kind: 'version'; version: number }
  | { kind: 'splice'; position: number; other: Buffer };

function mutate(bytes: Buffer, mutation: Mutation): Buffer {
  const at = 'position' in mutation ? Math.floor(mutation.position * bytes.length) : 0;
  switch (mutation.kind) {
    case 'flip':
      if (bytes.length > 0) bytes.writeUInt8(bytes.readUInt8(at) ^ mutation.byte, at);
      return bytes;
    case 'number':
      if (at + 4 <= bytes.length) bytes.writeInt32BE(mutation.number, at);
      return bytes;
    case 'cut':
      return Buffer.from(bytes.subarray(0, at));
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), mutation.noise, bytes.subarray(at)]);
    case 'version':
      if (bytes.length >= 4) bytes.writeInt16BE(mutation.version, 2);
      return bytes;
    case 'splice':
      return Buffer.concat([bytes.subarray(0, at), mutation.other.subarray(at)]);
  }
}

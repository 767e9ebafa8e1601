import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../emulator/broker/api.js';
import { apis } from '../../../emulator/broker/apis/all.js';
import { type Codec, compile } from '../../../src/kafka-protocol/codec.js';
import { crc32c } from '../../../src/kafka-protocol/crc32c.js';
import { int16, int32, list, listOf, string } from '../../../src/kafka-protocol/fields.js';
import { FrameSplitter } from '../../../src/kafka-protocol/frames.js';
import { murmur2, partitionOfKey } from '../../../src/kafka-protocol/murmur2.js';
import { MalformedMessage, Reader } from '../../../src/kafka-protocol/reader.js';
import { Writer } from '../../../src/kafka-protocol/writer.js';
import { cases } from '../../cases.js';
import { messages } from './arbitrary-messages.js';

const everyVersion = [...apis.values()].flatMap((api) =>
  Array.from({ length: api.maxVersion - api.minVersion + 1 }, (_, index) => ({
    api,
    name: api.name,
    version: api.minVersion + index,
  })),
);

describe('the codec', () => {
  it.each(everyVersion)('reads messages that it has written: $name v$version', ({ api, version }) => {
    for (const [fields, codec] of [
      [api.request, api.requestCodec(version)],
      [api.response, api.responseCodec(version)],
    ] as const) {
      fc.assert(
        fc.property(messages(fields, version), (message) => {
          expect(readBack(codec, written(codec, message))).toEqual(message);
        }),
        { numRuns: cases(5, 25) },
      );
    }
  });

  it.each(everyVersion)('refuses every truncation as malformed: $name v$version', ({ api, version }) => {
    const codec = api.requestCodec(version);
    fc.assert(
      fc.property(
        messages(api.request, version),
        fc.double({ min: 0, max: 1, maxExcluded: true }),
        (message, share) => {
          const bytes = written(codec, message);
          if (bytes.length === 0) return;
          const cut = bytes.subarray(0, Math.floor(bytes.length * share));
          expect(() => codec.read(new Reader(cut))).toThrow(MalformedMessage);
        },
      ),
      { numRuns: cases(5, 20) },
    );
  });

  it('writes the bytes of the protocol guide in the older encoding', () => {
    // Metadata v4 for the topics "ab" and "c": array length, two strings with 16-bit lengths, a boolean.
    const bytes = written(apiOf(3).requestCodec(4), {
      topics: [{ name: 'ab' }, { name: 'c' }],
      allowAutoTopicCreation: true,
    });
    expect(bytes.toString('hex')).toBe('00000002' + '0002' + '6162' + '0001' + '63' + '01');
  });

  it('writes the bytes of KIP-482 in the flexible encoding', () => {
    // Heartbeat v4: compact strings (length + 1), null as 0, an empty section of tagged fields.
    const bytes = written(apiOf(12).requestCodec(4), {
      groupId: 'g1',
      generationId: 7,
      memberId: 'm',
      groupInstanceId: null,
    });
    expect(bytes.toString('hex')).toBe('03' + '6731' + '00000007' + '02' + '6d' + '00' + '00');
  });

  it('sends a tagged field unless it has its default, and skips unknown tags', () => {
    const fields = { count: int16(), note: string('v0+', { nullable: 'v0+', default: null, tag: 3 }) };
    const codec = compile(fields, 0, true);
    expect(written(codec, { count: 1, note: null }).toString('hex')).toBe('0001' + '00');
    expect(written(codec, { count: 1, note: 'x' }).toString('hex')).toBe(
      '0001' + '01' + '03' + '02' + '0278',
    );
    const newer = Buffer.from('0001' + '02' + '0302' + '0278' + '0703' + 'aabbcc', 'hex');
    expect(readBack(codec, newer)).toEqual({ count: 1, note: 'x' });
  });

  it('reads a field that the version lacks as its default', () => {
    const fields = {
      old: int32('v0-1'),
      late: int32('v2+', { default: -1 }),
      gone: string('v2+', { nullable: 'v2+' }),
    };
    expect(compile(fields, 0, false).read(new Reader(Buffer.alloc(4)))).toEqual({
      old: 0,
      late: -1,
      gone: null,
    });
  });

  it('keeps 64-bit numbers, also negative ones, as exact as JavaScript does', () => {
    const edges = [
      0,
      -1,
      1,
      2 ** 31,
      -(2 ** 31),
      2 ** 32,
      -(2 ** 32),
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
    ];
    for (const value of edges) {
      const writer = new Writer();
      writer.int64(value);
      const bytes = Buffer.concat(writer.finish());
      expect(bytes.readBigInt64BE()).toBe(BigInt(value));
      expect(new Reader(bytes).int64()).toBe(value);
    }
  });
});

describe('Reader', () => {
  const codec = compile({ items: list({ name: string(), numbers: listOf(int32()) }) }, 0, false);

  it.each([
    ['an array longer than the message', '7fffffff'],
    ['a negative array length', 'fffffffe'],
    ['a string longer than the message', '00000001' + '7fff' + '61'],
    ['a negative string length', '00000001' + 'fffe'],
    ['null where null is not allowed', '00000001' + 'ffff' + '00000000'],
  ])('refuses %s', (_, hex) => {
    expect(() => codec.read(new Reader(Buffer.from(hex, 'hex')))).toThrow(MalformedMessage);
  });

  it('limits the array elements of one message', () => {
    const many = Buffer.alloc(4 + 4 * 200_000);
    many.writeInt32BE(200_000);
    expect(() => compile({ numbers: listOf(int32()) }, 0, false).read(new Reader(many))).toThrow(
      /too many elements/,
    );
  });

  it('refuses variable-length integers of more than 31 bits', () => {
    for (const hex of ['ffffffffff01', 'ffffffff0f', '8080808080']) {
      expect(() => new Reader(Buffer.from(hex, 'hex')).unsignedVarint()).toThrow(MalformedMessage);
    }
    expect(new Reader(Buffer.from('ffffffff07', 'hex')).unsignedVarint()).toBe(0x7fff_ffff);
  });
});

describe('FrameSplitter', () => {
  it('yields complete frames from chunks of any size', () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (contents, cuts) => {
        const splitter = new FrameSplitter(1000);
        const stream = Buffer.concat(contents.flatMap((content) => [lengthOf(content.length), content]));
        const seen: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % cuts.length]!;
          for (const frame of splitter.push(stream.subarray(at, at + size))) seen.push(Buffer.from(frame));
          at += size;
        }
        expect(seen.map((frame) => frame.toString('hex'))).toEqual(
          contents.map((content) => Buffer.from(content).toString('hex')),
        );
      }),
    );
  });

  it.each([-1, -(2 ** 31), 1001, 2 ** 31 - 1])(
    'refuses a frame of %i bytes as soon as its length has arrived',
    (size) => {
      expect(() => [...new FrameSplitter(1000).push(lengthOf(size))]).toThrow(MalformedMessage);
    },
  );

  it('allocates memory for the bytes that arrived, not for the announced length', () => {
    const before = process.memoryUsage().arrayBuffers;
    const splitters = Array.from({ length: 50 }, () => new FrameSplitter(100 * 1024 * 1024));
    for (const splitter of splitters) {
      for (const chunk of [lengthOf(100 * 1024 * 1024), Buffer.alloc(100)])
        expect([...splitter.push(chunk)]).toEqual([]);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
  });
});

describe('crc32c and murmur2', () => {
  it('match the vectors of RFC 3720 for CRC-32C', () => {
    expect(crc32c(Buffer.alloc(32)).toString(16)).toBe('8a9136aa');
    expect(crc32c(Buffer.alloc(32, 0xff)).toString(16)).toBe('62a8ab43');
    expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => i))).toString(16)).toBe('46dd794e');
    expect(crc32c(Buffer.from(Array.from({ length: 32 }, (_, i) => 31 - i))).toString(16)).toBe('113fdb5c');
    expect(crc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283');
  });

  it('return the checksum of a bitwise computation at every alignment', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(20), (bytes, start) => {
        expect(crc32c(bytes, Math.min(start, bytes.length))).toBe(bitwiseCrc32c(bytes.subarray(start)));
      }),
    );
  });

  it('hash keys as Java’s default partitioner does', () => {
    // The vectors of Apache Kafka's own test of murmur2 (org.apache.kafka.common.utils.UtilsTest).
    const vectors: Record<string, number> = {
      '21': -973932308,
      foobar: -790332482,
      'a-little-bit-long-string': -985981536,
      'a-little-bit-longer-string': -1486304829,
      lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
      abc: 479470107,
    };
    for (const [key, hash] of Object.entries(vectors)) expect(murmur2(Buffer.from(key))).toBe(hash);
    expect(partitionOfKey(Buffer.from('21'), 6)).toBe((-973932308 & 0x7fffffff) % 6);
  });
});

function apiOf(key: number): Api {
  return apis.get(key)!;
}

function written(codec: Codec, message: Record<string, unknown>): Buffer {
  const writer = new Writer(8);
  codec.write(writer, message);
  const parts = Buffer.concat(writer.finish());
  expect(parts.length).toBe(writer.length);
  return parts;
}

function readBack(codec: Codec, bytes: Buffer): Record<string, unknown> {
  const reader = new Reader(bytes);
  const message = codec.read(reader);
  expect(reader.remaining).toBe(0);
  return message;
}

function lengthOf(size: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(size);
  return bytes;
}

function bitwiseCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apis } from '../../../emulator/broker/apis/all.js';
import { codeOf, kafkaErrors } from '../../../emulator/broker/faults/known-errors.js';
import { errorCodes, errorName } from '../../../src/kafka-protocol/error-codes.js';
import { Reader } from '../../../src/kafka-protocol/reader.js';
import { Writer } from '../../../src/kafka-protocol/writer.js';
import { goldenRequests } from './golden/golden.js';
import { type Fill, numberedMessage } from './golden/numbered-messages.js';
import { encodeRequest } from './wire-client.js';

const golden = goldenRequests();

describe('captured requests of kafkajs and @platformatic/kafka', () => {
  it('cover all APIs that the clients use', () => {
    expect(new Set(golden.map(({ api }) => api)).size).toBe(24);
    expect(new Set(golden.map(({ origin }) => origin)).size).toBe(2);
  });

  it.each(golden)('decode, and encode to the same bytes: $api v$version of $origin', ({ version, bytes }) => {
    const reader = new Reader(bytes);
    const key = reader.int16();
    expect(reader.int16()).toBe(version);
    const correlationId = reader.int32();
    const clientId = reader.string(reader.int16());
    const api = apis.get(key)!;
    if (api.isFlexible(version)) reader.skipTaggedFields();
    const request = api.requestCodec(version).read(reader);
    expect(reader.remaining).toBe(0);
    expect(encodeRequest(key, version, correlationId, request, clientId).toString('hex')).toBe(
      bytes.toString('hex'),
    );
  });

  it('decode to the operations that the client was called for', () => {
    const read = (name: string, origin: RegExp) => {
      const {
        bytes,
        version,
        api: apiName,
      } = golden.find((one) => one.api === name && origin.test(one.origin))!;
      const api = [...apis.values()].find((one) => one.name === apiName)!;
      const reader = new Reader(bytes, { position: 8 });
      reader.string(reader.int16());
      if (api.isFlexible(version)) reader.skipTaggedFields();
      return api.requestCodec(version).read(reader);
    };
    expect(read('CreateTopics', /kafkajs/)).toMatchObject({
      topics: [{ name: 'made', numPartitions: 1, configs: [{ name: 'retention.ms', value: '1000' }] }],
    });
    expect(read('CreateTopics', /platformatic/)).toMatchObject({
      topics: [{ name: 'made', numPartitions: 1, replicationFactor: 1 }],
    });
    expect(read('JoinGroup', /kafkajs/)).toMatchObject({ groupId: 'group', protocolType: 'consumer' });
    expect(read('JoinGroup', /platformatic/)).toMatchObject({ groupId: 'group', sessionTimeoutMs: 10_000 });
    expect(read('Fetch', /kafkajs/)).toMatchObject({ maxWaitMs: 50, topics: [{ topic: 'events' }] });
    expect(read('Produce', /platformatic/)).toMatchObject({ acks: -1, topics: [{ name: 'events' }] });
    expect(read('DeleteRecords', /kafkajs/)).toMatchObject({
      topics: [{ name: 'events', partitions: [{ partition: 0, offset: 0 }] }],
    });
  });
});

const written = readFileSync(new URL('./golden/kafka-messages.txt', import.meta.url), 'utf8').split('\n');

describe('errors', () => {
  const kafka = new Map(
    written
      .map((line) => /^error (\w+) (-?\d+)$/.exec(line) ?? [])
      .map(([, name, code]) => [name, Number(code)]),
  );

  it.each(Object.values(errorCodes))('carry the name of Apache Kafka: %i', (code) => {
    expect(kafka.get(errorName(code))).toBe(code);
  });

  it.each(kafkaErrors)('carry the code of Apache Kafka: %s', (error) => {
    expect(codeOf(error)).toBe(kafka.get(error));
  });
});

describe('messages that Apache Kafka wrote', () => {
  const golden = new Map(
    written
      .map((line) => /^(.*? \d+) ?(\w*)$/.exec(line) ?? [])
      .map(([, message = '', hex = '']) => [message, hex] as const),
  );

  it.each([...apis.values()])('equal the bytes that the table of $name writes and reads', (api) => {
    for (const kind of ['request', 'response'] as const) {
      for (const fill of ['full', 'least'] as const satisfies readonly Fill[]) {
        let hex: string | undefined;
        for (let version = api.minVersion; version <= api.maxVersion; version += 1) {
          const name = `${api.name} ${kind} ${fill} ${version}`;
          // A message that is written as in the version before has no line.
          hex = golden.get(name) ?? hex;
          const codec = api[`${kind}Codec`](version);
          const message = numberedMessage(api[kind], version, fill);
          const writer = new Writer();
          codec.write(writer, message);
          expect(Buffer.concat(writer.finish()).toString('hex'), name).toBe(hex);
          expect(codec.read(new Reader(Buffer.from(hex ?? '', 'hex'))), name).toEqual(message);
        }
      }
    }
  });
});

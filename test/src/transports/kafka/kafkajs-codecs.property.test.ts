import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiTable, codecsOf } from '../../../../src/kafka-protocol/api-table.js';
import * as tables from '../../../../src/kafka-protocol/apis/index.js';
import { errorCodes } from '../../../../src/kafka-protocol/error-codes.js';
import { type Fields, NO_BYTES, type WireType, within } from '../../../../src/kafka-protocol/fields.js';
import { Writer } from '../../../../src/kafka-protocol/writer.js';
import { messages } from '../../../emulator/broker/arbitrary-messages.js';

type Message = Record<string, unknown>;

/** The request and response of one version, as kafkajs encodes and decodes them. */
interface Theirs {
  request(options: Message): { encode(): Promise<{ buffer: Buffer }> };
  readonly response: { decode(bytes: Buffer): Promise<unknown> };
}

const require = createRequire(import.meta.url);

/** Returns undefined for a version that kafkajs does not know. */
function theirs({ name }: ApiTable, version: number): Theirs | undefined {
  const folder = `kafkajs/src/protocol/requests/${name[0]!.toLowerCase()}${name.slice(1)}/v${version}`;
  try {
    return {
      request: require(`${folder}/request.js`) as Theirs['request'],
      response: require(`${folder}/response.js`) as Theirs['response'],
    };
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

const both = Object.values(tables).flatMap((table: ApiTable | number) => {
  if (typeof table === 'number') return [];
  const codecs = codecsOf(table);
  return Array.from({ length: codecs.maxVersion + 1 }, (_, version) => version)
    .filter((version) => version >= codecs.minVersion)
    .flatMap((version) => {
      const found = theirs(table, version);
      return found === undefined ? [] : [{ name: table.name, table, version, codecs, kafkajs: found }];
    });
});

describe('the tables of the protocol', () => {
  it('share most versions with kafkajs', () => {
    expect(new Set(both.map(({ name }) => name)).size).toBe(11);
    expect(both.length).toBeGreaterThan(50);
  });

  it.each(both)('write a request as kafkajs does: $name v$version', async (each) => {
    const { table, version, codecs, kafkajs } = each;
    await fc.assert(
      fc.asyncProperty(messages(table.request, version), async (request) => {
        // kafkajs writes an empty list of these as null.
        if (['Metadata', 'OffsetFetch'].includes(table.name))
          fc.pre(request['topics'] !== null && (request['topics'] as unknown[]).length > 0);
        const writer = new Writer();
        codecs.requestCodec(version).write(writer, request);
        const { buffer } = await kafkajs.request(renamed(request, table.name)).encode();
        expect(Buffer.concat(writer.finish()).toString('hex')).toBe(buffer.toString('hex'));
      }),
      { numRuns: 20 },
    );
  });

  it.each(both)('write a response as kafkajs reads it: $name v$version', async (each) => {
    const { table, version, codecs, kafkajs } = each;
    await fc.assert(
      fc.asyncProperty(messages(table.response, version), async (generated) => {
        const response = withoutRecords(generated) as Message;
        // kafkajs throws it.
        fc.pre(response['errorCode'] !== errorCodes.unsupportedVersion);
        const writer = new Writer();
        codecs.responseCodec(version).write(writer, response);
        const decoded = await kafkajs.response.decode(Buffer.concat(writer.finish()));
        expect(valuesOf(decoded)).toEqual(written(table.response, version, response));
      }),
      { numRuns: 20 },
    );
  });
});

/** The names of kafkajs for fields of requests. */
const names: Readonly<Record<string, readonly string[]>> = {
  assignment: ['memberAssignment'],
  assignments: ['groupAssignment'],
  commitTimestamp: ['timestamp'],
  committedMetadata: ['metadata'],
  committedOffset: ['offset'],
  generationId: ['groupGenerationId'],
  key: ['coordinatorKey', 'groupId'],
  keyType: ['coordinatorType'],
  maxOffsets: ['maxNumOffsets'],
  maxWaitMs: ['maxWaitTime'],
  name: ['topic'],
  partitionMaxBytes: ['maxBytes'],
  protocols: ['groupProtocols'],
  rebalanceTimeoutMs: ['rebalanceTimeout'],
  retentionTimeMs: ['retentionTime'],
  sessionTimeoutMs: ['sessionTimeout'],
};

/** Returns a request with the names of kafkajs next to those of the table. */
function renamed(message: Message, api: string): Message {
  const renamedValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamedValue);
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
    const fields = Object.entries(value).map(([name, each]) => [name, renamedFor(api, name, each)] as const);
    return Object.fromEntries(
      fields.flatMap(([name, each]) => [name, ...(names[name] ?? [])].map((one) => [one, each])),
    );
  };
  const renamedFor = (of: string, name: string, value: unknown): unknown => {
    if (of === 'Metadata' && name === 'topics')
      return (value as { name: string }[]).map((topic) => topic.name);
    if (of === 'OffsetFetch' && name === 'partitions')
      return (value as number[]).map((partition) => ({ partition }));
    return renamedValue(value);
  };
  return renamedValue(message) as Message;
}

/** kafkajs decodes the records of a fetch at once, which other tests compare. */
function withoutRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRecords);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'records' ? NO_BYTES : withoutRecords(each)]),
  );
}

/** Returns the values of a message in wire order, as text. */
function written(fields: Fields, version: number, message: Message): string[] {
  const values = (type: WireType, value: unknown): string[] => {
    if (type.name === 'struct') return written(type.fields, version, value as Message);
    if (type.name === 'array') return ((value ?? []) as unknown[]).flatMap((each) => values(type.of, each));
    return type.name === 'records' ? [] : [textOf(value)];
  };
  return Object.entries(fields)
    .filter(([, { versions }]) => within(version, versions))
    .flatMap(([name, { type }]) => values(type, message[name]));
}

/** Returns the values that kafkajs has read, in its order. */
function valuesOf(decoded: unknown): string[] {
  if (Array.isArray(decoded)) return decoded.flatMap(valuesOf);
  if (typeof decoded !== 'object' || decoded === null || Buffer.isBuffer(decoded)) return [textOf(decoded)];
  const { clientSideThrottleTime, ...others } = decoded as Message;
  // kafkajs has moved it, and left 0 in its place.
  if (clientSideThrottleTime !== undefined) others['throttleTime'] = clientSideThrottleTime;
  return Object.values(others).flatMap(valuesOf);
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
}

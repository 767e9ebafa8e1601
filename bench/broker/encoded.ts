import { once } from 'node:events';
import { connect } from 'node:net';
import { apis } from '../../emulator/broker/apis/all.js';
import type { ApiCodecs } from '../../src/kafka-protocol/api-table.js';
import { buildBatch } from '../../src/kafka-protocol/build-batch.js';
import { FrameSplitter } from '../../src/kafka-protocol/frames.js';
import { Reader } from '../../src/kafka-protocol/reader.js';
import { Writer } from '../../src/kafka-protocol/writer.js';
import { batch, messages, valueBytes } from './traffic.js';

const produce = apis.get(0) as ApiCodecs;
/** As kafkajs sends it. */
const version = 7;
const partitions = 4;
/** Number of requests under way: what idempotent producers in Java and librdkafka allow. */
const inFlight = 5;

/**
 * Returns the messages per second that a broker accepts from a client that costs nothing: it sends one encoded request
 * again and again. The request is that of kafkajs for the same messages.
 */
export async function produceEncoded(bootstrapServers: string, topic: string): Promise<number> {
  const [host, port] = bootstrapServers.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  const request = requestTo(topic);
  const frames = new FrameSplitter(1024 * 1024);
  const requests = messages / batch;
  let sent = 0;
  let received = 0;
  const start = performance.now();
  const send = () => sent++ < requests && socket.write(request);
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      for (const frame of frames.push(chunk)) {
        received++;
        const failed = errorIn(frame);
        if (failed !== undefined) reject(new Error(`The broker refused a batch with ${failed}.`));
        else if (received === requests) resolve();
        else send();
      }
    });
  });
  for (let first = 0; first < inFlight; first++) send();
  await done.finally(() => socket.destroy());
  return (messages / (performance.now() - start)) * 1000;
}

function requestTo(topic: string): Buffer {
  const value = 'x'.repeat(valueBytes);
  const perPartition = Array.from({ length: batch / partitions }, (_, index) => ({
    key: `key-${index}`,
    value,
  }));
  const writer = new Writer();
  writer.int32(0); // the length, filled in below
  writer.int16(0); // Produce
  writer.int16(version);
  writer.int32(1); // correlation id
  writer.int16(-1); // client id
  produce.requestCodec(version).write(writer, {
    transactionalId: null,
    acks: -1,
    timeoutMs: 30_000,
    topics: [
      {
        name: topic,
        partitions: Array.from({ length: partitions }, (_, index) => ({
          index,
          records: buildBatch(perPartition, Date.now()),
        })),
      },
    ],
  });
  const request = Buffer.concat(writer.finish());
  request.writeInt32BE(request.length - 4);
  return request;
}

function errorIn(frame: Buffer): number | undefined {
  const reader = new Reader(frame);
  reader.int32();
  const { topics } = produce.responseCodec(version).read(reader) as {
    readonly topics: readonly { readonly partitions: readonly { readonly errorCode: number }[] }[];
  };
  return topics.flatMap(({ partitions: all }) => all).find(({ errorCode }) => errorCode !== 0)?.errorCode;
}

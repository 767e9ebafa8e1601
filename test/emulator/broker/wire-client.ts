import { type Duplex, duplexPair } from 'node:stream';
import { apis } from '../../../emulator/broker/apis/all.js';
import type { Broker } from '../../../emulator/broker/index.js';
import { FrameSplitter } from '../../../emulator/broker/protocol/frames.js';
import { Reader } from '../../../emulator/broker/protocol/reader.js';
import { Writer } from '../../../emulator/broker/protocol/writer.js';

type Message = Record<string, unknown>;
// Responses are asserted on by their fields; typing each of 27 in several versions would say nothing more.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see the line above
export type Answer = any;

/** A client that speaks any API in any version over a stream, and bytes that no client would send. */
export class WireClient {
  readonly stream: Duplex;
  readonly closed: Promise<void>;
  readonly #waiting: ((frame: Buffer | undefined) => void)[] = [];
  #correlationId = 0;

  constructor(stream: Duplex) {
    this.stream = stream;
    const frames = new FrameSplitter(2 ** 31 - 1);
    this.closed = new Promise((resolve) => {
      stream.once('close', () => {
        for (const answer of this.#waiting.splice(0)) answer(undefined);
        resolve();
      });
    });
    stream.on('error', () => undefined);
    stream.on('end', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => {
      for (const frame of frames.push(chunk)) this.#waiting.shift()?.(frame);
    });
  }

  /** A client of the broker without any port. */
  static to(broker: Broker): WireClient {
    const [ours, theirs] = duplexPair();
    // A real socket tells its peer that it is gone; the halves of a pair do not.
    ours.once('close', () => theirs.destroy());
    theirs.once('close', () => ours.destroy());
    broker.handle(theirs, { clientHost: 'test', advertised: { host: 'broker.test', port: 9092 } });
    return new WireClient(ours);
  }

  /** The decoded response, or undefined when the connection was closed instead. */
  async request(key: number, version: number, body: Message, clientId = 'wire'): Promise<Answer> {
    const frame = await this.bytes(encodeRequest(key, version, (this.#correlationId += 1), body, clientId));
    return frame && decodeResponse(key, version, frame);
  }

  /** Sends a frame's content; the response's content, or undefined when the connection was closed. */
  bytes(content: Buffer): Promise<Buffer | undefined> {
    const answer = this.next();
    this.raw(framed(content));
    return answer;
  }

  /** The next response that comes, or undefined when the connection is closed instead. */
  next(): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      if (this.stream.destroyed) resolve(undefined);
      else this.#waiting.push(resolve);
    });
  }

  raw(bytes: Buffer): void {
    if (!this.stream.destroyed) this.stream.write(bytes);
  }

  close(): void {
    this.stream.destroy();
  }
}

export function framed(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length);
  return Buffer.concat([size, content]);
}

export function encodeRequest(
  key: number,
  version: number,
  correlationId: number,
  body: Message,
  clientId: string,
): Buffer {
  const api = apis.get(key)!;
  const writer = new Writer();
  writer.int16(key);
  writer.int16(version);
  writer.int32(correlationId);
  writer.int16(Buffer.byteLength(clientId));
  writer.utf8(clientId, Buffer.byteLength(clientId));
  if (api.isFlexible(version)) writer.unsignedVarint(0);
  api.requestCodec(version).write(writer, body);
  return Buffer.concat(writer.finish());
}

export function decodeResponse(key: number, version: number, frame: Buffer): Answer {
  const api = apis.get(key)!;
  const reader = new Reader(frame, { position: 4 });
  if (api.isFlexible(version) && key !== 18) reader.skipTaggedFields();
  const response = api.responseCodec(version).read(reader);
  if (reader.remaining > 0)
    throw new Error(`${reader.remaining} bytes follow the response of ${api.name} v${version}`);
  return response;
}

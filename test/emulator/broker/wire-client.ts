import { type Duplex, duplexPair } from 'node:stream';
import { apis } from '../../../emulator/broker/apis/all.js';
import type { Broker } from '../../../emulator/broker/broker.js';
import { FrameSplitter } from '../../../src/kafka-protocol/frames.js';
import { Reader } from '../../../src/kafka-protocol/reader.js';
import { Writer } from '../../../src/kafka-protocol/writer.js';

type Message = Record<string, unknown>;
// Tests assert fields of responses; types for 27 responses in several versions would add nothing.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see the line above
export type AnyResponse = any;

/** A client that sends any request in any version, or any bytes. */
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
        for (const settle of this.#waiting.splice(0)) settle(undefined);
        resolve();
      });
    });
    stream.on('error', () => undefined);
    stream.on('end', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => {
      for (const frame of frames.push(chunk)) this.#waiting.shift()?.(frame);
    });
  }

  /** Returns a client that is connected without a port. */
  static to(broker: Broker): WireClient {
    const [ours, theirs] = duplexPair();
    // A real socket tells its peer that it is gone; the halves of a pair do not.
    ours.once('close', () => theirs.destroy());
    theirs.once('close', () => ours.destroy());
    broker.handle(theirs, { clientHost: 'test', advertised: { host: 'broker.test', port: 9092 } });
    return new WireClient(ours);
  }

  /** Returns the decoded response, or undefined if the connection was closed. */
  async request(key: number, version: number, body: Message, clientId = 'wire'): Promise<AnyResponse> {
    const frame = await this.bytes(encodeRequest(key, version, (this.#correlationId += 1), body, clientId));
    return frame && decodeResponse(key, version, frame);
  }

  /** Sends the content of a frame. Returns the content of the response, or undefined if the connection was closed. */
  bytes(content: Buffer): Promise<Buffer | undefined> {
    const response = this.next();
    this.raw(framed(content));
    return response;
  }

  /** Returns the next response, or undefined if the connection was closed. */
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

export function decodeResponse(key: number, version: number, frame: Buffer): AnyResponse {
  const api = apis.get(key)!;
  const reader = new Reader(frame, { position: 4 });
  if (api.isFlexible(version) && key !== 18) reader.skipTaggedFields();
  const response = api.responseCodec(version).read(reader);
  if (reader.remaining > 0)
    throw new Error(`${reader.remaining} bytes follow the response of ${api.name} v${version}`);
  return response;
}

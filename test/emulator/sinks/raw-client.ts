import { onTestFinished } from 'vitest';
import type { StreamFilter } from '../../../src/transports/websocket-protocol.js';
import { type ClientOptions, WebSocket } from 'ws';

/**
 * A message as a client without our code reads it: the first line is JSON, the others are values. Members that its
 * type does not have are absent, which the tests do not want to be asked about.
 */
export interface RawMessage {
  readonly type: string;
  readonly lines: readonly string[];
  readonly next: number;
  readonly first: number;
  readonly records: readonly { readonly encoding?: string }[];
  readonly numbers?: readonly number[];
  readonly through?: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly code: string;
  readonly message: string;
}

export interface RawClient {
  readonly socket: WebSocket;
  readonly messages: readonly RawMessage[];
  /** Numbers of all records received, in order of arrival. */
  readonly numbers: readonly number[];
  readonly closeCode: number | undefined;
  send(message: unknown): void;
  /** Resolves when the condition holds; rejects when the connection ends before. */
  until(condition: () => unknown): Promise<void>;
  message(type: string): Promise<RawMessage>;
  closed(): Promise<number>;
}

/** Speaks `busbar.v1` with nothing but ws and JSON. Terminated after the test at the latest. */
export async function rawClient(url: string, options: ClientOptions = {}): Promise<RawClient> {
  const socket = new WebSocket(url, 'busbar.v1', options);
  const messages: RawMessage[] = [];
  const numbers: number[] = [];
  const waiting = new Set<{ condition: () => unknown; resolve: () => void; reject: (e: Error) => void }>();
  let closeCode: number | undefined;

  const check = () => {
    for (const each of waiting) {
      if (each.condition()) each.resolve();
      else if (closeCode !== undefined) each.reject(new Error(`closed with ${closeCode} before it came`));
      else continue;
      waiting.delete(each);
    }
  };
  socket.on('message', (data: Buffer) => {
    const [head, ...lines] = data.toString().split('\n');
    const message: RawMessage = { ...JSON.parse(head!), lines };
    messages.push(message);
    if (message.type === 'batch')
      for (let n = 0; n < lines.length; n++) numbers.push(message.numbers?.[n] ?? message.first + n);
    check();
  });
  socket.on('error', () => {});
  socket.on('close', (code) => {
    closeCode = code;
    check();
  });
  onTestFinished(() => socket.terminate());
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });

  const until = (condition: () => unknown) =>
    new Promise<void>((resolve, reject) => {
      waiting.add({ condition, resolve, reject });
      check();
    });
  return {
    socket,
    messages,
    numbers,
    get closeCode() {
      return closeCode;
    },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    until,
    async message(type) {
      const found = () => messages.find((each) => each.type === type);
      await until(found);
      return found()!;
    },
    async closed() {
      await until(() => closeCode !== undefined);
      return closeCode!;
    },
  };
}

export async function observer(
  url: string,
  more: { after?: number; stream?: string; filter?: StreamFilter; about?: boolean } = {},
): Promise<RawClient> {
  const client = await rawClient(url);
  client.send({ type: 'subscribe', mode: 'observe', ...more });
  await client.message('welcome');
  return client;
}

export async function consumer(url: string, name: string): Promise<RawClient> {
  const client = await rawClient(url);
  client.send({ type: 'subscribe', mode: 'consume', consumer: name });
  await client.message('welcome');
  return client;
}

/** `from`, `from + 1`, ... `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
}

/** Gives everything that is under way over loopback the chance to arrive; for what must not come. */
export async function turns(count = 30): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

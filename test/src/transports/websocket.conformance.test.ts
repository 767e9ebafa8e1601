import { createServer } from 'node:net';
import { once } from 'node:events';
import { websocket } from '../../../src/transports/websocket.js';
import { emission } from '../../emulator/sinks/emissions.js';
import { streamServer } from '../../emulator/sinks/stream-server.js';
import { describeTransport, type SentRecord } from './conformance.js';

const alwaysText = 'the emulator makes them, always as text';

describeTransport('websocket', {
  capabilities: { commit: true, redelivery: true, keys: true, deadLetters: false },
  skips: {
    'binary keys': alwaysText,
    'binary headers': alwaysText,
    'repeated headers': 'the emulator sends each header once',
    'keyless records': 'every emission has a key',
    tombstones: 'every emission has a value',
  },
  async start() {
    const { sink, url, stop } = await streamServer();
    return {
      transport: () => websocket({ url, consumer: 'conformance' }),
      send: (records) => Promise.resolve(sink.write(records.map(emissionOf))),
      end: () => Promise.resolve(sink.end()),
      stop,
    };
  },
  async unreachable() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const address = `ws://127.0.0.1:${port}/events`;
    return { transport: websocket({ url: address }), address };
  },
});

function emissionOf({ key, value, headers }: SentRecord) {
  return emission(1, {
    key: text(key!),
    bytes: Buffer.from(value!),
    headers: Object.fromEntries(headers.map(([name, bytes]) => [name, text(bytes)])),
  });
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

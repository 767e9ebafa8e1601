import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { afterEach, describe, expect, it } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { type RunningBroker, type StartBrokerOptions, startBroker } from '../../../emulator/broker/index.js';
import { LogRecorder } from './log-recorder.js';
import { framed, WireClient } from './wire-client.js';

// Self-signed for localhost, for these tests only.
const key = readFileSync(new URL('./tls/localhost-key.pem', import.meta.url));
const cert = readFileSync(new URL('./tls/localhost-cert.pem', import.meta.url));

const log = new LogRecorder();
let broker: RunningBroker | undefined;

afterEach(async () => {
  await broker?.stop();
  log.lines.length = 0;
});

describe('startBroker()', () => {
  it('reports a port in use, and how to fix it', async () => {
    const first = await start();
    const second = startBroker({ port: first.port });
    await expect(second).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringMatching(
        new RegExp(`listens on port "${first.port}" of "127.0.0.1".*Stop it, or set "port" to`),
      ),
    });
  });

  it('listens on a free port of the loopback address', async () => {
    const { bootstrapServers, port } = await start();
    expect(port).toBeGreaterThan(0);
    expect(bootstrapServers).toBe(`127.0.0.1:${port}`);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  );
  it.each(['0.0.0.0', ...(hasIpv6 ? ['::'] : [])])(
    'gives localhost as its address when it listens on %s',
    async (host) => {
      const { bootstrapServers, port } = await start({ host });
      expect(bootstrapServers).toBe(`localhost:${port}`);
    },
  );

  it('closes its connections and its port when stopped, also more than once', async () => {
    const port = await restartPort();
    const running = await start({ port });
    const client = new WireClient(connect(port, '127.0.0.1'));
    expect(await client.request(18, 0, {})).toMatchObject({ errorCode: 0 });
    await Promise.all([running.stop(), running.stop()]);
    await client.closed;
    await running.stop();
    broker = await startBroker({ port });
    expect(broker.port).toBe(port);
  });

  it.skipIf(process.platform !== 'linux')(
    'asks the system whether a quiet client is still there',
    async () => {
      const { port } = await start();
      const client = new WireClient(connect(port, '127.0.0.1'));
      await client.request(18, 0, {});
      // The kernel's table: local address, remote address, state, queues, timer (02: keep-alive) and when, in hex.
      const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
      const row = new RegExp(`${local} [0-9A-F:]+ 01 [0-9A-F:]+ (..):([0-9A-F]+)`);
      const [, timer, when = ''] = row.exec(readFileSync('/proc/net/tcp', 'utf8')) ?? [];
      expect(timer).toBe('02');
      expect(Number.parseInt(when, 16)).toBeLessThanOrEqual(60 * 100);
      client.close();
    },
  );

  it('advertises the address that a client connected to, or the configured one', async () => {
    const { port } = await start({ host: '0.0.0.0' });
    const client = new WireClient(connect(port, '127.0.0.1'));
    expect((await client.request(3, 1, { topics: [] })).brokers).toMatchObject([{ host: '127.0.0.1', port }]);
    await broker?.stop();
    const other = await start({ advertised: { host: 'kafka.test', port: 1234 } });
    const second = new WireClient(connect(other.port, '127.0.0.1'));
    expect((await second.request(3, 1, { topics: [] })).brokers).toMatchObject([
      { host: 'kafka.test', port: 1234 },
    ]);
    expect(await second.request(10, 4, { keyType: 0, coordinatorKeys: ['g'] })).toMatchObject({
      coordinators: [{ key: 'g', host: 'kafka.test', port: 1234, errorCode: 0 }],
    });
  });

  it.each([
    ['maxTopicBytes', { maxTopicBytes: 0 }],
    ['defaultPartitions', { defaultPartitions: 1.5 }],
    ['topic "bad name"', { topics: [{ name: 'bad name' }] }],
    ['no.such.config', { topics: [{ name: 'a', config: { 'no.such.config': '1' } }] }],
    ['already exists', { topics: [{ name: 'a' }, { name: 'a' }] }],
  ])('throws for an invalid option and names it: %s', async (named, options: StartBrokerOptions) => {
    await expect(startBroker({ port: 0, ...options })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(named),
    });
  });
});

describe('SASL/PLAIN', () => {
  const sasl = { users: { reader: 'secret' } };

  it('admits a client with the right password only', async () => {
    const { bootstrapServers } = await start({ sasl });
    const topics = (password: string) =>
      listTopics({
        brokers: [bootstrapServers],
        sasl: { mechanism: 'plain', username: 'reader', password },
        retry: { retries: 0 },
      });
    expect(await topics('secret')).toEqual(['events']);
    await expect(topics('guessed')).rejects.toThrow(/Authentication failed/);
    expect(log.matching(/authentication failed/)).toHaveLength(1);
    expect(log.lines.join()).not.toMatch(/guessed|secret/);
  });

  it('closes a connection that sends other requests before authentication', async () => {
    const { port } = await start({ sasl });
    const client = new WireClient(connect(port, '127.0.0.1'));
    expect(
      await client.request(18, 3, { clientSoftwareName: 'wire', clientSoftwareVersion: '1' }),
    ).toMatchObject({
      errorCode: 0,
    });
    expect(await client.request(3, 1, { topics: null })).toBeUndefined();
    expect(log.lines.join()).toMatch(/Metadata was sent before the client authenticated/);
  });

  it('offers PLAIN to a client with another mechanism', async () => {
    const { port } = await start({ sasl });
    const client = new WireClient(connect(port, '127.0.0.1'));
    const response = await client.request(17, 1, { mechanism: 'SCRAM-SHA-256' });
    expect(response).toEqual({ errorCode: 33, mechanisms: ['PLAIN'] });
    expect(await client.request(36, 0, { authBytes: Buffer.from('\0reader\0secret') })).toMatchObject({
      errorCode: 34,
    });
  });

  it('accepts a bare token of old clients after a handshake of version 0', async () => {
    const { port } = await start({ sasl });
    const client = new WireClient(connect(port, '127.0.0.1'));
    await client.request(17, 0, { mechanism: 'PLAIN' });
    expect(await client.bytes(Buffer.from('\0reader\0secret'))).toHaveLength(0);
    expect((await client.request(3, 1, { topics: null })).topics).toHaveLength(1);
    const intruder = new WireClient(connect(port, '127.0.0.1'));
    await intruder.request(17, 0, { mechanism: 'PLAIN' });
    intruder.raw(framed(Buffer.from('\0reader\0wrong')));
    await intruder.closed;
  });

  it('fails with an illegal state on a broker without users', async () => {
    const { port } = await start();
    const client = new WireClient(connect(port, '127.0.0.1'));
    expect(await client.request(17, 1, { mechanism: 'PLAIN' })).toMatchObject({ errorCode: 34 });
  });
});

describe('TLS', () => {
  it('serves clients that trust its certificate, and logs clients without TLS', async () => {
    const { bootstrapServers, port } = await start({ tls: { key, cert } });
    expect(await listTopics({ brokers: [bootstrapServers], ssl: { ca: [cert] } })).toEqual(['events']);
    const plain = new WireClient(connect(port, '127.0.0.1'));
    plain.raw(framed(Buffer.alloc(100)));
    await plain.closed;
    expect(log.matching(/tls connection refused/)).toHaveLength(1);
  });

  it('stops during the handshake of a client', async () => {
    const running = await start({ tls: { key, cert } });
    const client = new WireClient(connect(running.port, '127.0.0.1'));
    await new Promise((resolve) => client.stream.once('connect', resolve));
    // Proves that the other client was accepted.
    await listTopics({ brokers: [running.bootstrapServers], ssl: { ca: [cert] } });
    await running.stop();
    await client.closed;
  });

  it('requests the client’s certificate if configured', async () => {
    const tls = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true };
    const { bootstrapServers } = await start({ tls });
    expect(await listTopics({ brokers: [bootstrapServers], ssl: { ca: [cert], key, cert } })).toEqual([
      'events',
    ]);
    const without = { brokers: [bootstrapServers], ssl: { ca: [cert] }, retry: { retries: 0 } };
    await expect(listTopics(without)).rejects.toThrow();
  });
});

async function start(options: StartBrokerOptions = {}): Promise<RunningBroker> {
  broker = await startBroker({ port: 0, topics: [{ name: 'events' }], logger: log, ...options });
  return broker;
}

async function listTopics(config: KafkaConfig): Promise<string[]> {
  const admin = new Kafka({ logLevel: logLevel.NOTHING, ...config }).admin();
  try {
    await admin.connect();
    return await admin.listTopics();
  } finally {
    await admin.disconnect();
  }
}

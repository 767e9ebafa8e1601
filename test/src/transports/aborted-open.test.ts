import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '../../../src/base/clock.js';
import { createConsumer, silentLogger, type Transport } from 'busbar';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memory } from '../../../src/transports/memory.js';
import { kafka } from '../../../src/transports/kafka/index.js';
import { websocket } from '../../../src/transports/websocket.js';
import { withDelay } from '../../steady-clock.js';
import { brokerWithEvents } from '../../emulator/broker/topics-for-tests.js';
import { scriptedServer } from './scripted-server.js';

describe('a signal that aborts while the consumer connects', () => {
  it('ends the wait for the welcome of a stream', async () => {
    const server = await scriptedServer();
    const { abort, running } = starting(websocket({ url: server.url }));
    const socket = await server.subscribed(1);
    const closed = once(socket, 'close');
    abort();
    await (await running).finished;
    await closed;
  });

  it('ends the wait for a server that accepts and does not respond', async () => {
    const { port, accepted } = await silentServer();
    const { abort, running } = starting(kafkaOf(`127.0.0.1:${port}`));
    await accepted;
    abort();
    await (await running).finished;
  });

  it.each(['Metadata', 'FindCoordinator', 'SyncGroup', 'OffsetFetch'])(
    'ends the wait for the response to %s',
    async (api) => {
      const broker = await brokerWithEvents({ partitions: 1 });
      const held = broker.faults.hold({ on: api, at: 'request' });
      const { abort, running } = starting(kafkaOf(broker.bootstrapServers), impatient);
      await held.reached;
      abort();
      await (await running).finished;
    },
  );

  it('leaves the group', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const held = broker.faults.hold({ on: 'SyncGroup', at: 'request' });
    const { abort, running } = starting(kafkaOf(broker.bootstrapServers));
    await held.reached;
    abort();
    const { finished, counts, health } = await running;
    await finished;
    expect(counts.handled).toBe(0);
    expect(health().status).toBe('ok');
    expect(broker.inspect().groups[0]?.members ?? []).toEqual([]);
  });

  it('stops a transport that ignores it once it is open', async () => {
    const opening = memory();
    const aborting = new AbortController();
    const transport: Transport = {
      ...opening,
      open(receiver, options) {
        aborting.abort();
        return opening.open(receiver, options);
      },
    };
    const running = await consumer().run(transport, { signal: aborting.signal });
    await running.finished;
  });
});

function kafkaOf(address: string): Transport {
  return kafka({
    brokers: [address],
    groupId: 'readers',
    topics: ['events'],
    createDeadLetterTopics: true,
    connectionTimeout: 600_000,
  });
}

function consumer() {
  const made = createConsumer({ logger: silentLogger });
  made.onAny(() => undefined);
  return made;
}

/** The wall clock without the time that a member waits for Kafka before it gives up. */
const impatient = withDelay(systemClock, 5_000, 10);

function starting(transport: Transport, clock = systemClock) {
  const aborting = new AbortController();
  const running = consumer().run(transport, { signal: aborting.signal, clock });
  return { abort: () => aborting.abort(), running };
}

async function silentServer() {
  const server = createServer().listen(0, '127.0.0.1');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  onTestFinished(async () => {
    const [socket] = await accepted;
    socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, accepted };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import kafkajs from 'kafkajs';
import { startBroker } from '../../emulator/broker/index.js';
import { crc32c } from '../../emulator/broker/protocol/crc32c.js';

/** One figure with its bound: `atLeast` a lower one, else an upper one. */
export interface Measured {
  readonly case: string;
  readonly ratio: number;
  readonly target: number;
  readonly unit: string;
  readonly atLeast?: boolean;
}

// A CommonJS module whose exports Node does not find by name.
const { Kafka, logLevel, Partitioners } = kafkajs;
const MESSAGES = 100_000;
const VALUE_BYTES = 470;
const BATCH = 1000;

/** The machine may be busy with something else in any one round. */
const ROUNDS = 9;

/** Medians over rounds, each with a new broker in another process than its client, as with `emulate`; then both in one. */
export async function* measure(): AsyncGenerator<Measured> {
  const apart = await rounds(twoProcesses);
  const median = (name: keyof Awaited<ReturnType<typeof twoProcesses>>): number =>
    percentile(
      apart.map((round) => round[name]),
      0.5,
    );
  yield { case: 'start-up', ratio: median('startedIn'), target: 50, unit: 'ms' };
  yield { case: 'kafkajs produce', ratio: median('produced'), target: 75_000, unit: 'msg/s', atLeast: true };
  yield { case: 'rss per 100,000 messages', ratio: median('rss'), target: 66, unit: 'MB' };
  yield { case: 'kafkajs group join', ratio: median('joinMs'), target: 15, unit: 'ms' };
  const consumed = median('perSecond');
  yield { case: 'kafkajs group consume', ratio: consumed, target: 113_000, unit: 'msg/s', atLeast: true };
  const received = Math.min(...apart.map((round) => round.received));
  yield { case: 'received of 100,000', ratio: received, target: MESSAGES, unit: 'messages', atLeast: true };
  yield { case: 'p99 beside hostile input', ratio: median('underAttack'), target: 50, unit: 'ms' };

  // Most of the slowest hundredth waits for a processor: it takes milliseconds of which the process runs a fraction.
  const together = await rounds(endToEnd);
  const [p50, p99] = [0, 1].map((index) =>
    percentile(
      together.map((round) => round[index as 0 | 1]),
      0.5,
    ),
  ) as [number, number];
  yield { case: 'end to end in one process, p50', ratio: p50, target: 0.8, unit: 'ms' };
  yield { case: 'end to end in one process, p99', ratio: p99, target: 3.5, unit: 'ms' };
  const appended = percentile(await rounds(append), 0.5);
  yield { case: 'append in process', ratio: appended, target: 100_000, unit: 'msg/s', atLeast: true };
  yield { case: 'crc32c, times a byte table', ratio: crcRatio(), target: 1.8, unit: 'x', atLeast: true };
}

async function rounds<T>(round: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) results.push(await round());
  return results;
}

async function twoProcesses() {
  const broker = fork(new URL('./broker-process.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { bootstrapServers, port, startedIn } = await messageOf<{
    bootstrapServers: string;
    port: number;
    startedIn: number;
  }>(broker);
  const kafka = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING });
  const rssBefore = await rssOf(broker);
  await produce(kafka, 'warm-up'); // so that the next figure is of the broker, not of its compilation
  const produced = await produce(kafka);
  const rss = ((await rssOf(broker)) - rssBefore) / 2 / 1024 / 1024; // of both topics
  const consumed = await consume(kafka);
  const underAttack = await latencyUnderAttack(port);
  broker.disconnect();
  await once(broker, 'exit');
  return { startedIn, produced, rss, ...consumed, underAttack };
}

async function produce(kafka: kafkajs.Kafka, topic = 'bench'): Promise<number> {
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const value = 'x'.repeat(VALUE_BYTES);
  const start = performance.now();
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    const messages = Array.from({ length: BATCH }, (_, index) => ({ key: `key-${sent + index}`, value }));
    await producer.send({ topic, messages });
  }
  const perSecond = (MESSAGES / (performance.now() - start)) * 1000;
  await producer.disconnect();
  return perSecond;
}

async function consume(
  kafka: kafkajs.Kafka,
): Promise<{ joinMs: number; perSecond: number; received: number }> {
  const consumer = kafka.consumer({ groupId: 'bench', maxWaitTimeInMs: 500 });
  await consumer.connect();
  await consumer.subscribe({ topic: 'bench', fromBeginning: true });
  let joinMs = 0;
  consumer.on('consumer.group_join', ({ payload }) => (joinMs = payload.duration));
  let received = 0;
  let first = 0;
  let last = 0;
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachBatch: async ({ batch }) => {
        first ||= performance.now();
        received += batch.messages.length;
        last = performance.now();
        if (received >= MESSAGES) resolve();
      },
    });
  });
  await consumer.disconnect();
  return { joinMs, received, perSecond: (received / (last - first)) * 1000 };
}

/** Milliseconds in the 99th percentile for a client that asks again and again beside ten that send nonsense. */
async function latencyUnderAttack(port: number): Promise<number> {
  const running = { attack: true };
  const attackers = Array.from({ length: 10 }, async (_, index) => {
    while (running.attack) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      // Valid requests in masses, then a length that no frame may have.
      const request = Buffer.from('0000000e' + '00030001' + '00000001' + 'ffff' + 'ffffffff', 'hex');
      socket.write(
        Buffer.concat([...Array.from({ length: 200 + index }, () => request), Buffer.alloc(8, 0xff)]),
      );
      socket.resume();
      await closed;
    }
  });
  const victim = connect(port, '127.0.0.1');
  const question = Buffer.from('0000000a' + '00120000' + '00000001' + 'ffff', 'hex');
  const times: number[] = [];
  for (let turn = 0; turn < 1000; turn += 1) {
    const start = performance.now();
    victim.write(question);
    await once(victim, 'data');
    times.push(performance.now() - start);
  }
  running.attack = false;
  victim.destroy();
  await Promise.all(attackers);
  return percentile(times, 0.99);
}

async function endToEnd(): Promise<[p50: number, p99: number]> {
  const broker = await startBroker({ port: 0, topics: [{ name: 'bench' }] });
  const consumer = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING }).consumer({
    groupId: 'g',
  });
  await consumer.connect();
  await consumer.subscribe({ topic: 'bench', fromBeginning: true });
  let arrived = (): void => undefined;
  await consumer.run({ eachMessage: async () => arrived() });
  const times: number[] = [];
  for (let index = 0; index < 1100; index += 1) {
    const start = performance.now();
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    broker.append('bench', [{ key: 'k', value: 'x'.repeat(VALUE_BYTES) }]);
    await arrival;
    if (index >= 100) times.push(performance.now() - start);
  }
  await consumer.disconnect();
  await broker.stop();
  return [percentile(times, 0.5), percentile(times, 0.99)];
}

async function append(): Promise<number> {
  const broker = await startBroker({ port: 0, topics: [{ name: 'bench', partitions: 4 }] });
  const value = 'x'.repeat(VALUE_BYTES);
  const headers = { 'event-type': 'a.b', 'event-version': 'v1' };
  const start = performance.now();
  for (let sent = 0; sent < MESSAGES; sent += 100) {
    broker.append(
      'bench',
      Array.from({ length: 100 }, (_, index) => ({ key: `key-${sent + index}`, value, headers })),
    );
  }
  const perSecond = (MESSAGES / (performance.now() - start)) * 1000;
  await broker.stop();
  return perSecond;
}

/** Median over rounds in which both take their turn. */
function crcRatio(): number {
  const bytes = Buffer.alloc(1024 * 1024, 'busbar');
  const ratios: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const ours = timeOf(() => crc32c(bytes));
    ratios.push(timeOf(() => byteTableCrc32c(bytes)) / ours);
  }
  return percentile(ratios, 0.5);
}

const byteTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function byteTableCrc32c(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1) crc = (crc >>> 8) ^ byteTable[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

async function rssOf(broker: ChildProcess): Promise<number> {
  broker.send('rss');
  return (await messageOf<{ rss: number }>(broker)).rss;
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T];
  return message;
}

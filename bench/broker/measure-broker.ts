import { once } from 'node:events';
import { connect } from 'node:net';
import kafkajs from 'kafkajs';
import { againstPeers } from './against-peers.js';
import { startEmbeddedBroker } from '../../emulator/broker/start.js';
import { type Measured, median } from '../measure.js';
import { crcRatio } from './crc-ratio.js';
import { produceEncoded } from './encoded.js';
import { forkBroker } from './fork-broker.js';
import { consume, messages, produce, valueBytes } from './traffic.js';

// A CommonJS module whose exports Node does not find by name.
const { Kafka, logLevel } = kafkajs;

/** Number of rounds: any single round may be slowed down by other load. */
const roundCount = 9;

/** Measures medians over rounds, each with a new broker in a child process; then in one process. */
export async function* measure(): AsyncGenerator<Measured> {
  const apart = await rounds(twoProcesses);
  const middle = (name: keyof Awaited<ReturnType<typeof twoProcesses>>): number =>
    median(apart.map((round) => round[name]));
  yield { case: 'start-up', ratio: middle('startedIn'), target: 50, unit: 'ms' };
  yield { case: 'encoded produce', ratio: middle('encoded'), target: 75_000, unit: 'msg/s', atLeast: true };
  yield { case: 'kafkajs produce', ratio: middle('produced'), target: 75_000, unit: 'msg/s', atLeast: true };
  yield { case: 'rss per 100,000 messages', ratio: middle('rss'), target: 66, unit: 'MB' };
  yield { case: 'kafkajs group join', ratio: middle('joinMs'), target: 15, unit: 'ms' };
  const consumed = middle('perSecond');
  yield { case: 'kafkajs group consume', ratio: consumed, target: 113_000, unit: 'msg/s', atLeast: true };
  const received = Math.min(...apart.map((round) => round.received));
  yield { case: 'received of 100,000', ratio: received, target: messages, unit: 'messages', atLeast: true };
  yield { case: 'p99 with hostile input', ratio: middle('underAttack'), target: 50, unit: 'ms' };

  // Most of the slowest percentile waits for a processor: the process runs for a fraction of these milliseconds.
  const together = await rounds(endToEnd);
  for (const [index, target] of [0.8, 3.5].entries()) {
    const name = `end to end in one process, ${['p50', 'p99'][index]}`;
    yield { case: name, ratio: median(together.map((round) => round[index as 0 | 1])), target, unit: 'ms' };
  }
  const appended = median(await rounds(append));
  yield { case: 'append in process', ratio: appended, target: 100_000, unit: 'msg/s', atLeast: true };
  yield* againstPeers();
  yield { case: 'crc32c, times a byte table', ratio: crcRatio(), target: 1.8, unit: 'x', atLeast: true };
}

async function rounds<T>(round: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < roundCount; turn += 1) results.push(await round());
  return results;
}

async function twoProcesses() {
  const broker = await forkBroker();
  const { bootstrapServers, port, startedIn } = broker;
  const kafka = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING });
  const rssBefore = await broker.rss();
  await produce(kafka, 'warm-up'); // so that the next figure excludes compilation
  const produced = await produce(kafka);
  const rss = ((await broker.rss()) - rssBefore) / 2 / 1024 / 1024; // for both topics
  const consumed = await consume(kafka);
  const encoded = await produceEncoded(bootstrapServers, 'warm-up');
  const underAttack = await latencyUnderAttack(port);
  await broker.stop();
  return { startedIn, produced, encoded, rss, ...consumed, underAttack };
}

/** Returns the 99th percentile of latency, in milliseconds, next to ten clients that send invalid requests. */
async function latencyUnderAttack(port: number): Promise<number> {
  const running = { attack: true };
  const attackers = Array.from({ length: 10 }, async (_, index) => {
    while (running.attack) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      // Many valid requests, then an invalid frame length.
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
  const broker = await startEmbeddedBroker({ port: 0, topics: [{ name: 'bench' }] });
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
    broker.append('bench', [{ key: 'k', value: 'x'.repeat(valueBytes) }]);
    await arrival;
    if (index >= 100) times.push(performance.now() - start);
  }
  await consumer.disconnect();
  await broker.stop();
  return [percentile(times, 0.5), percentile(times, 0.99)];
}

async function append(): Promise<number> {
  const broker = await startEmbeddedBroker({ port: 0, topics: [{ name: 'bench', partitions: 4 }] });
  const value = 'x'.repeat(valueBytes);
  const headers = { 'event-type': 'a.b', 'event-version': 'v1' };
  const start = performance.now();
  for (let sent = 0; sent < messages; sent += 100) {
    broker.append(
      'bench',
      Array.from({ length: 100 }, (_, index) => ({ key: `key-${sent + index}`, value, headers })),
    );
  }
  const perSecond = (messages / (performance.now() - start)) * 1000;
  await broker.stop();
  return perSecond;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

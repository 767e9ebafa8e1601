import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import kafkajs from 'kafkajs';
import { emulate } from './built.js';
import { type Measured, median, timeOf } from './measure.js';

// A CommonJS module whose exports Node does not find by name.
const { Kafka, logLevel } = kafkajs;
const rounds = 15;

/** Measures the start of processes: each figure is the median of fresh processes. */
export async function* measure(): AsyncIterable<Measured> {
  const ready = Array.from({ length: rounds }, () =>
    Number(node('--input-type=module', '--eval', readyConsumer)),
  );
  yield { case: 'consumer of 12 handlers is ready', ratio: median(ready), target: 15, unit: 'ms' };

  const over = Array.from({ length: rounds }, () => {
    const bare = timeOf(() => node('--eval', '0'));
    return timeOf(() => node(emulate, '--help')) - bare;
  });
  yield { case: 'emulate --help over bare node', ratio: median(over), target: 75, unit: 'ms' };

  const first: number[] = [];
  for (let round = 0; round < 9; round++) first.push(await untilFirstEvent());
  yield { case: 'start to first event over Kafka', ratio: median(first), target: 500, unit: 'ms' };
}

/** Measures from the start of the process to the first event in a consumer group of its broker. */
async function untilFirstEvent(): Promise<number> {
  const begun = performance.now();
  const options = ['--scenario', 'house-move', '--instant', '--kafka-port', '0', '--http-port', '0'];
  const child = spawn(process.execPath, [emulate, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  let broker: string | undefined;
  while (broker === undefined) {
    const [text] = (await once(child.stderr, 'data')) as [Buffer];
    said += text.toString();
    broker = /Kafka +([^,\s]+)/.exec(said)?.[1];
  }
  const consumer = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).consumer({
    groupId: 'first',
  });
  await consumer.connect();
  await consumer.subscribe({ topic: 'platform.events', fromBeginning: true });
  const took = await new Promise<number>((resolve) => {
    void consumer.run({ eachMessage: async () => resolve(performance.now() - begun) });
  });
  await consumer.disconnect();
  child.kill();
  await once(child, 'close');
  return took;
}

/** Loads kafkajs first, as every Kafka consumer must; then the consumer, up to its connection. */
const readyConsumer = `
  await import('kafkajs');
  const start = performance.now();
  const { createConsumer } = await import('busbar');
  const { memory } = await import('busbar/internal/memory');
  const consumer = createConsumer();
  for (const [type, version] of [
    ['account.created', 'v1'],
    ['account.updated', 'v1'],
    ['account_user.created', 'v1'],
    ['agreement.created', 'v1'],
    ['agreement.terminated', 'v2'],
    ['billing.billing_document.issued', 'v2'],
    ['billing.final_bill', 'v1'],
    ['billing.ledger.entry_posted', 'v2'],
    ['lifecycle.join-supplier.requested', 'v1'],
    ['lifecycle.join-supplier.completed', 'v1'],
    ['lifecycle.leave-supplier.completed', 'v3'],
    ['meterpoint.gas.backfill', 'v1'],
  ]) consumer.on(type, version, () => undefined);
  const running = await consumer.run(memory());
  console.log(performance.now() - start);
  await running.stop();
`;

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: new URL('..', import.meta.url) });
}

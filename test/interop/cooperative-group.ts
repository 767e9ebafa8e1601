import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';
import { createConsumer } from '../../src/index.js';
import { silentLogger } from '../../src/base/logger.js';
import { kafka } from '../../src/transports/kafka/index.js';
import { type Ended, start, stop } from './command.js';
import { numberedEvent } from '../numbered-event.js';
import type { Served } from './served.js';
import { verdictLine } from './verdict-line.js';

const partitions = 6;
const eventsPerStage = 300;

/** A group of a cooperative member of Busbar and one of another client, which joins and leaves while events arrive. */
export async function cooperativeGroup(
  { bootstrapServers, prefix }: Served,
  program: string,
  args: (topic: string) => readonly string[],
  /** Returns the number of records that a line of the other member reports. */
  recordsIn: (line: string) => number,
): Promise<Ended> {
  const topic = `${prefix}-none`;
  const client = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING });
  const [admin, producer] = [client.admin(), client.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic, numPartitions: partitions }] });
  let sent = 0;
  const send = () =>
    producer.send({
      topic,
      messages: Array.from({ length: eventsPerStage }, () => ({
        partition: sent % partitions,
        key: String(sent % partitions),
        value: JSON.stringify(numberedEvent(sent++)),
      })),
    });

  const handled: string[] = [];
  const assigned: number[] = [];
  const consumer = createConsumer();
  consumer.onAny(({ id }) => void handled.push(String(id)));
  const debug = (message: string, fields: object = {}) => {
    if (message === 'partitions assigned') assigned.push((fields as { partitions: number }).partitions);
  };
  const options = { groupId: topic, topics: [topic], fromBeginning: true, createDeadLetterTopics: true };
  const running = await consumer.run(
    kafka({ brokers: [bootstrapServers], ...options, rebalance: 'cooperative', heartbeatInterval: 300 }),
    { logger: { ...silentLogger, debug } },
  );
  let theirs = 0;
  const other = start(program, args(topic));
  try {
    createInterface({ input: other.stdout! }).on('line', (line) => (theirs += recordsIn(line)));
    other.stderr?.resume();
    await send();
    const isShared = await holds(() => assigned.at(-1) === partitions / 2);
    await send();
    const isComplete = await holds(() => handled.length + theirs === sent && theirs > 0);
    other.kill('SIGTERM');
    await once(other, 'close');
    const isAlone = await holds(() => assigned.at(-1) === partitions);
    await send();
    await holds(() => handled.length + theirs >= sent);
    const counts = `${handled.length} and ${theirs} of ${sent}`;
    return {
      code: 0,
      output: [
        verdictLine('share the partitions', isShared, `Busbar has ${assigned.at(-1)} of ${partitions}`),
        verdictLine('handle every event, and none twice', isComplete, counts),
        verdictLine('give the partitions back', isAlone, `Busbar has ${assigned.at(-1)} of ${partitions}`),
        verdictLine('lose nothing and repeat nothing', handled.length + theirs === sent, counts),
      ].join('\n'),
    };
  } finally {
    await stop(other);
    await running.stop();
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
}

/** Waits until a condition holds. Returns false if it does not within a minute. */
async function holds(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + 60_000;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  return condition();
}

// A consumer process of a group. Its handlers wait, as one does for a database. Reports the number of each handled event.
import { setTimeout as wait } from 'node:timers/promises';
import { createConsumer, silentLogger } from 'busbar';
import { kafka } from 'busbar/kafka';

/** Milliseconds that a handler waits. */
const handlerMs = 20;

const [broker = '', groupId = ''] = process.argv.slice(2);
const consumer = createConsumer({ logger: silentLogger });
consumer.on('account.created', 'v1', async ({ id }) => {
  await wait(handlerMs);
  process.send?.(Number(id?.slice(-12)));
});
const running = await consumer.run(
  kafka({
    brokers: [broker],
    groupId,
    topics: ['events'],
    fromBeginning: true,
    sessionTimeout: 6_000,
    heartbeatInterval: 500,
  }),
);
process.once('message', () => {
  void running.stop().then(() => process.disconnect());
});

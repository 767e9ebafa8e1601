// A consumer for the images and manifests of this folder: prints the final bills of a run.
import { on, run } from 'busbar';
import { kafka } from 'busbar/kafka';
import { serveOperations } from 'busbar/operations';

const { KAFKA_BROKERS = 'localhost:9092', OPERATIONS_PORT = '9464' } = process.env;

on('billing.final_bill', 'v1', (event) => console.log(`final bill ${event.payload.statement_id}`));

const running = await run(
  kafka({
    brokers: KAFKA_BROKERS.split(','),
    groupId: 'bills',
    topics: ['platform.events'],
    fromBeginning: true,
    createDeadLetterTopics: true,
  }),
);
const operations = await serveOperations(running, { host: '0.0.0.0', port: Number(OPERATIONS_PORT) });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void running.stop());
await running.finished;
await operations.stop();

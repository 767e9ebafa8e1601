// A service that dead-letters the records of a topic. When it is asked to stop, it does, and has nothing more to do.
import { openCatalogue } from '../../../../../catalogue/index.js';
import { createConsumer } from '../../../../../src/index.js';
import { kafka } from '../../../../../src/transports/kafka/index.js';

const [, , broker = ''] = process.argv;
const consumer = createConsumer({ catalogue: openCatalogue() });
consumer.on('account.created', 'v1', () => undefined);
const transport = kafka({ brokers: [broker], groupId: 'readers', topics: ['events'], fromBeginning: true });
const running = await consumer.run(transport, { drainTimeout: 1 });
process.once('SIGTERM', () => void running.stop().then(() => process.stdout.write('stopped')));

// A service whose handler never ends and has weeks for its deadline. Asked to stop, it does, and has nothing more to do.
import { openCatalogue } from '../../../../catalogue/index.js';
import { createConsumer } from '../../../../src/index.js';
import { memory } from '../../../../src/transports/memory.js';
import { accountCreated, envelope, headersOf } from '../../records.js';

const transport = memory();
const consumer = createConsumer({ catalogue: openCatalogue() });
const begun = new Promise<void>((resolve) => {
  consumer.on('account.created', 'v1', () => {
    resolve();
    return new Promise<void>(() => undefined);
  });
});
transport.send({ key: 'key-a', value: envelope(accountCreated), headers: headersOf(accountCreated) });
const running = await consumer.run(transport, { drainTimeout: 1, deadline: 2 ** 31 - 1 });
await begun;
await running.stop();
process.stdout.write('stopped');

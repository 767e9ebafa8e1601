/**
 * `npm start`: plays a house move into the example consumer, with some events sent twice. `npm start -- --instant` plays it
 * without pauses.
 */
import { parseArgs } from 'node:util';
import { stderrLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { websocket } from 'busbar/websocket';
import { startEmulator } from 'busbar-emulator';
import { houseMoves } from './house-move-consumer.js';
import { freePort } from './start/free-port.js';
import { Screen } from './start/screen.js';

const { instant } = parseArgs({ options: { instant: { type: 'boolean' } } }).values;
const logger = { ...stderrLogger, info: () => undefined };
const emulator = await startEmulator({
  scenario: 'house-move',
  faults: 'duplicate=20%',
  ...(instant === true && { speed: 'instant' }),
  kafka: { port: await freePort(9092) },
  http: { port: await freePort(4100) },
  run: { waitForConsumer: 'house-moves' },
  logger,
});
const screen = new Screen(emulator);

do {
  const consumer = houseMoves(screen.handled);
  const handled = new WeakSet();
  consumer.use(async (event, _context, next) => {
    await next();
    if (!handled.has(event)) screen.skipped(event);
  });
  consumer.use(idempotent({ store: memoryStore() }));
  consumer.use((event, _context, next) => {
    handled.add(event);
    return next();
  });

  const stream = websocket({ url: emulator.streamUrl ?? '', consumer: 'house-moves' });
  const { signal, settled } = screen;
  const running = await consumer.run(stream, { logger, observer: { settled }, signal });
  await running.finished;
  screen.finish(running.counts);
} while ((await screen.again()) && (await emulator.reset().then(() => true)));
await emulator.stop();

/** `npm start`: a house move out of the emulator into the example consumer, in one process, on free ports. */
import { scenarios, startEmulator } from 'busbar/emulator';
import { followHouseMoves } from './house-move-consumer.js';

const emulator = await startEmulator({ scenario: 'house-move', httpPort: 0, waitForConsumer: 'house-moves' });
if (emulator.streamUrl === undefined) throw new Error('The emulator has no stream.');
const story = scenarios.find(({ name }) => name === 'house-move')?.story ?? '';
console.log(`${story}\n\nEvents on ${emulator.streamUrl}; it takes about a minute.\n`);

const consumer = await followHouseMoves(emulator.streamUrl);
const { events, byType } = await emulator.finished;
await consumer.finished;
const { handled, skipped } = consumer.counts;
console.log(
  `\n${events} events of ${byType.size} types: ${handled} handled, ${skipped.unhandled} without a handler.`,
);
await emulator.stop();

/** `npm start`: plays a house move into the example consumer, in one process, on free ports. */
import { scenarios, startEmulator } from 'busbar-emulator';
import { followHouseMoves } from './house-move-consumer.js';

const scenario = 'house-move';
const emulator = await startEmulator({
  scenario,
  kafka: { port: 0 },
  http: { port: 0 },
  run: { waitForConsumer: 'house-moves' },
});
if (emulator.streamUrl === undefined) throw new Error('The emulator serves no stream.');

console.log(`${scenarios.find(({ name }) => name === scenario)?.description ?? ''}\n`);
console.log(`Events on ${emulator.streamUrl}. Seven weeks of virtual time take about a minute.\n`);

const consumer = await followHouseMoves(emulator.streamUrl, console.log);
process.once('SIGINT', () => void emulator.stop().then(() => consumer.stop()));
const { events, byType } = await emulator.finished;
await consumer.finished;
await emulator.stop();

const { handled, skipped } = consumer.counts;
console.log(
  `\n${events} events of ${byType.size} types: ${handled} handled, ${skipped.unhandled} without a handler.`,
);

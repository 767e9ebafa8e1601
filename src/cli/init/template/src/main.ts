/** Handles the events of a stream until it ends, or a signal stops it. */
import { BusbarError } from 'busbar';
import { websocket } from 'busbar/websocket';
import { consumer } from './consumer.ts';

async function main() {
  const url = process.env.STREAM_URL ?? 'ws://127.0.0.1:4100/events';
  const running = await consumer().run(websocket({ url, consumer: 'bill-counter' }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void running.stop());
  await running.finished;
}

export const finished = main().catch((error: unknown) => {
  console.error(error instanceof BusbarError ? error.message : error);
  process.exitCode = 1;
});

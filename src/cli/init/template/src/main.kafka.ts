/** Handles the events of a Kafka topic until a signal stops it. */
import { BusbarError } from 'busbar';
import { kafka } from 'busbar/kafka';
import { consumer } from './consumer.ts';

async function main() {
  const brokers = (process.env.KAFKA_BROKERS ?? 'localhost:9092').split(',');
  const running = await consumer().run(
    kafka({ brokers, groupId: 'bill-counter', topics: ['platform.events'] }),
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void running.stop());
  await running.finished;
}

export const finished = main().catch((error: unknown) => {
  console.error(error instanceof BusbarError ? error.message : error);
  process.exitCode = 1;
});

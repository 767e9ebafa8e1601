import { systemClock } from '../base/clock.js';
import type { KafkaConnectionOptions } from '../transports/kafka/connection.js';
import type { GroupPositions } from '../transports/kafka/kafkajs/group-positions.js';

/** Calls `use` with a connection to Kafka, and closes it afterwards. */
export async function withConnection<T>(
  options: KafkaConnectionOptions,
  use: (connection: GroupPositions) => Promise<T>,
): Promise<T> {
  // Loads kafkajs, which a list of dead letters of the embedded broker need not.
  const { GroupPositions } = await import('../transports/kafka/kafkajs/group-positions.js');
  const connection = await GroupPositions.from(options, systemClock);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

import { systemClock } from '../../base/clock.js';
import { silentLogger } from '../../base/logger.js';
import type { KafkaConnection } from '../../transports/kafka/client.js';
import type { KafkaConnectionOptions } from '../../transports/kafka/connection.js';

/** Calls `use` with a connection to Kafka, and closes it afterwards. */
export async function withConnection<T>(
  options: KafkaConnectionOptions,
  use: (connection: KafkaConnection) => Promise<T>,
): Promise<T> {
  // Loads kafkajs, which a list of dead letters of the embedded broker need not.
  const { kafkajsClientOf } = await import('../../transports/kafka/kafkajs/client.js');
  const client = kafkajsClientOf(options);
  const connection = await client.connect({ clock: systemClock, logger: silentLogger });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

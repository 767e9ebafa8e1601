import { systemClock } from '../../base/clock.js';
import { silentLogger } from '../../base/logger.js';
import type { KafkaConnection } from '../../transports/kafka/client.js';
import { kafkajsClientOf } from '../../transports/kafka/kafkajs/kafkajs-client.js';
import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';

/** Lends a connection to Kafka for as long as `use` takes. */
export async function withConnection<T>(
  args: ConnectionArguments,
  use: (connection: KafkaConnection) => Promise<T>,
): Promise<T> {
  const client = kafkajsClientOf(connectionOptions(args));
  const connection = await client.connect({ clock: systemClock, logger: silentLogger });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

import { Kafka, logLevel } from 'kafkajs';

/** Resolves when a plain Kafka client has received an event. */
export async function receivedByKafkaClient(broker: string): Promise<void> {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
  const client = kafka.consumer({ groupId: 'stranger' });
  await client.connect();
  try {
    await client.subscribe({ topic: 'platform.events', fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      client.on('consumer.crash', ({ payload }) => reject(payload.error));
      client.run({ eachMessage: async () => resolve() }).catch(reject);
    });
  } finally {
    await client.disconnect();
  }
}

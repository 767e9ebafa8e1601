import kafkajs, { type Consumer, type Kafka } from 'kafkajs';

/** The connections behind a kafkajs consumer that joins no group: what kafkajs has, and offers no way to. */
export interface HiddenCluster<C> {
  /** Connected. */
  readonly cluster: C;
  close(): Promise<void>;
}

/** kafkajs shows its cluster to assigners alone, and makes those with the consumer. */
export async function hiddenCluster<C>(kafka: Kafka): Promise<HiddenCluster<C>> {
  let cluster: unknown;
  const consumer: Consumer = kafka.consumer({
    groupId: 'busbar',
    allowAutoTopicCreation: false,
    retry: { retries: 2, initialRetryTime: 100 },
    partitionAssigners: [
      (config) => {
        cluster = config.cluster;
        return kafkajs.PartitionAssigners.roundRobin(config);
      },
    ],
  });
  await consumer.connect();
  return { cluster: cluster as C, close: () => consumer.disconnect() };
}

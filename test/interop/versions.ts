/** Releases of Apache Kafka for the tests of clients and broker. */
export const kafkaVersions = {
  /** The last one with ZooKeeper's protocol versions. */
  old: '3.9.2',
  /** The newest whose broker and tools are published in whole. */
  current: '4.3.1',
  /** The newest client. */
  client: '4.4.0',
} as const;

import kafkajs from 'kafkajs';

const { Partitioners } = kafkajs;
/** Number of messages that a client sends and receives. */
export const messages = 100_000;
export const valueBytes = 470;
/** Number of messages of a request. */
export const batch = 1000;

/** Returns the produced messages per second. */
export async function produce(kafka: kafkajs.Kafka, topic = 'bench'): Promise<number> {
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const value = 'x'.repeat(valueBytes);
  const start = performance.now();
  for (let sent = 0; sent < messages; sent += batch) {
    const some = Array.from({ length: batch }, (_, index) => ({ key: `key-${sent + index}`, value }));
    await producer.send({ topic, messages: some });
  }
  const perSecond = (messages / (performance.now() - start)) * 1000;
  await producer.disconnect();
  return perSecond;
}

/** Measures the only member of a new group. */
export async function consume(
  kafka: kafkajs.Kafka,
  topic = 'bench',
): Promise<{ joinMs: number; perSecond: number; received: number }> {
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 500 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let joinMs = 0;
  consumer.on('consumer.group_join', ({ payload }) => (joinMs = payload.duration));
  let received = 0;
  let first = 0;
  let last = 0;
  let stalled: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachBatch: async ({ batch: { messages: some } }) => {
        first ||= performance.now();
        received += some.length;
        last = performance.now();
        clearTimeout(stalled);
        if (received >= messages) resolve();
        // Otherwise lost messages would make the benchmark wait for ever.
        else stalled = setTimeout(resolve, 5000);
      },
    });
  });
  await consumer.disconnect();
  return { joinMs, received, perSecond: (received / (last - first)) * 1000 };
}

import kafkajs from 'kafkajs';

const { Partitioners } = kafkajs;
/** That a client sends and gets. */
export const messages = 100_000;
export const valueBytes = 470;
const batch = 1000;

/** Messages a second. */
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

/** What the only member of a new group gets. */
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
        // A broker that has lost messages would keep the benchmark waiting for ever.
        else stalled = setTimeout(resolve, 5000);
      },
    });
  });
  await consumer.disconnect();
  return { joinMs, received, perSecond: (received / (last - first)) * 1000 };
}

import { BusbarError, quoted } from '../../../base/errors.js';
import type { OffsetRange } from '../../../transports/kafka/client.js';
import type { KafkaConnectionOptions } from '../../../transports/kafka/connection.js';
import { withConnection } from '../../connect.js';
import type { ConsumerRecord } from '../../../transports/transport.js';

const batchSize = 1_000;

/**
 * Reads the newest records of a topic without a consumer group, partition by partition.
 * @param max Number of records, divided evenly among partitions that have enough.
 * @throws BusbarError `unknown-topic`, `connection-failed`
 */
export async function readTopic(
  options: KafkaConnectionOptions,
  topic: string,
  max: number,
  take: (records: readonly ConsumerRecord[]) => Promise<void>,
): Promise<void> {
  await withConnection(options, async (connection) => {
    const ranges = await connection.rangesOf(topic);
    if (ranges === undefined) {
      throw new BusbarError(
        'unknown-topic',
        `Kafka has no topic ${quoted(topic)}. Check the name in --topic.`,
      );
    }
    const sizeOf = ({ first, end }: OffsetRange) => end - first;
    const smallestFirst = [...ranges].sort((one, other) => sizeOf(one) - sizeOf(other));
    let left = max;
    for (const [index, range] of smallestFirst.entries()) {
      const share = Math.min(sizeOf(range), Math.ceil(left / (ranges.length - index)));
      const first = range.end - share;
      left -= share;
      let batch: ConsumerRecord[] = [];
      for await (const record of connection.read({ ...range, first })) {
        batch.push(record);
        if (batch.length < batchSize) continue;
        await take(batch);
        batch = [];
      }
      await take(batch);
    }
  });
}

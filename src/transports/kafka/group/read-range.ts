import { type Clock, sleep } from '../../../base/clock.js';
import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import type { RecordSet } from '../../../kafka-protocol/record-set.js';
import type { ConsumerRecord } from '../../transport.js';
import type { OffsetRange } from '../client.js';
import type { Cluster } from '../kafkajs/bridge.js';
import { checkCode, isFinal, Refused } from '../kafkajs/errors.js';
import { fetchFrom, recordsOf } from './fetch.js';
import { earliest, findLeaders, noLeader, offsetsAt } from './positions.js';

/** Bytes of one fetch. A single batch arrives whole even above it. */
const chunk = 1_048_576;

/** Number of failed or empty fetches in succession after which reading ends. */
const patience = 5;

/** Time in milliseconds before a failed fetch is repeated. */
const retryDelay = 200;

/** Reads records without a group, in order. Skips offsets that no longer exist. */
export async function* readRange(
  cluster: Cluster,
  { topic, partition, first, end }: OffsetRange,
  clock: Clock,
): AsyncIterable<ConsumerRecord> {
  let position = first;
  for (let failures = 0; position < end; ) {
    let fetched: RecordSet;
    try {
      fetched = await fetchAt(cluster, { topic, partition, position }, end - position === 1 ? 1 : chunk);
      if (fetched.last === undefined) throw new Error(`no records arrived from offset ${position} to ${end}`);
    } catch (error) {
      if (isFinal(error) || ++failures > patience) throw error;
      if (error instanceof Refused && error.code === errorCodes.offsetOutOfRange) {
        const [found] = await offsetsAt(cluster, [{ topic, partition }], earliest);
        position = Math.max(position, found?.offset ?? 0);
      } else await sleep(clock, retryDelay);
      continue;
    }
    failures = 0;
    for (const record of fetched.records) {
      if (record.offset >= end) return;
      yield record;
    }
    position = fetched.last + 1;
  }
}

async function fetchAt(
  cluster: Cluster,
  at: { readonly topic: string; readonly partition: number; readonly position: number },
  partitionMaxBytes: number,
): Promise<RecordSet> {
  const { topic, partition, position } = at;
  const leader = (await findLeaders(cluster, [topic])).find((each) => each.partition === partition)?.leader;
  if (leader === undefined) throw noLeader(at);
  const [fetched] = await fetchFrom(await cluster.broker(leader), [at], {
    maxWait: 1_000,
    partitionMaxBytes,
  });
  if (fetched === undefined) throw new Error('the response to a fetch lacks the partition');
  checkCode(fetched.errorCode);
  return recordsOf(fetched, position);
}

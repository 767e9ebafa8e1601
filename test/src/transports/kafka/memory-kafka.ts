import { BusbarError } from '../../../../src/base/errors.js';
import type {
  FetchedBatch,
  GroupMember,
  KafkaClient,
  KafkaConnection,
  OffsetRange,
  OutgoingRecord,
  PartitionOffset,
} from '../../../../src/transports/kafka/client.js';
import { recordHeaders } from '../../../../src/transports/record-headers.js';
import type { ConsumerRecord, Partition } from '../../../../src/transports/transport.js';

/** Kafka in this process, behind our client interface: topics, one group with one member, and what a test breaks. */
export class MemoryKafka implements KafkaClient {
  /** Whether commits are lost from now on, as when the process is killed. */
  losesCommits = false;
  /** Asked before and after each write; throws where the process is killed. */
  step: () => void = () => undefined;
  readonly #topics = new Map<string, ConsumerRecord[][]>();
  readonly #policies = new Map<string, string>();
  readonly #committed = new Map<string, number>();

  addTopic(name: string, partitions: number, cleanupPolicy = 'delete'): this {
    this.#topics.set(
      name,
      Array.from({ length: partitions }, () => []),
    );
    this.#policies.set(name, cleanupPolicy);
    return this;
  }

  records(topic: string): ConsumerRecord[] {
    return (this.#topics.get(topic) ?? []).flat();
  }

  policyOf(topic: string): string | undefined {
    return this.#policies.get(topic);
  }

  append({ topic, partition, key, value, headers }: OutgoingRecord): PartitionOffset {
    const logs = this.#topics.get(topic);
    if (logs === undefined) throw new BusbarError('connection-failed', `There is no topic ${topic}.`);
    const at = partition ?? (key === null ? 0 : (key[0] ?? 0)) % logs.length;
    const log = logs[at]!;
    const place = { topic, partition: at, offset: log.length };
    log.push({ ...place, timestamp: 1_000, key, value, headers: recordHeaders(headers) });
    return place;
  }

  /** Whether everything was taken that there is. */
  isTaken(topic: string, taken: ReadonlyMap<number, number | undefined>): boolean {
    const logs = this.#topics.get(topic) ?? [];
    return logs.every(
      ({ length }, at) => (taken.get(at) ?? this.#committed.get(`${at}/${topic}`) ?? 0) >= length,
    );
  }

  connect(): Promise<KafkaConnection & { isKnown(): Promise<boolean> }> {
    return Promise.resolve({
      isKnown: () => Promise.resolve(true),
      describeTopic: (name) => {
        const partitions = this.#topics.get(name)?.length;
        const cleanupPolicy = this.#policies.get(name) ?? 'delete';
        return Promise.resolve(partitions === undefined ? undefined : { name, partitions, cleanupPolicy });
      },
      createTopic: ({ name, partitions, cleanupPolicy }) => {
        this.addTopic(name, partitions, cleanupPolicy);
        return Promise.resolve();
      },
      produce: async (record) => {
        this.step();
        await turn();
        const place = this.append(record);
        this.step();
        return place;
      },
      rangesOf: (topic) =>
        Promise.resolve(
          this.#topics
            .get(topic)
            ?.map((log, partition): OffsetRange => ({ topic, partition, first: 0, end: log.length })),
        ),
      read: (range) => this.#read(range),
      join: (options, member) => {
        const pump = this.#pump(options.topics, member);
        return Promise.resolve(pump);
      },
      close: () => Promise.resolve(),
    });
  }

  async *#read({ topic, partition, first, end }: OffsetRange): AsyncIterable<ConsumerRecord> {
    await turn();
    yield* (this.#topics.get(topic)?.[partition] ?? []).slice(first, end);
  }

  #pump(topics: readonly string[], member: GroupMember) {
    const positions = new Map<string, PartitionOffset & { next: number }>();
    for (const topic of topics) {
      for (const partition of (this.#topics.get(topic) ?? []).keys()) {
        const offset = this.#committed.get(`${partition}/${topic}`) ?? 0;
        positions.set(`${partition}/${topic}`, { topic, partition, offset, next: offset });
      }
    }
    let isOver = false;
    member.assigned([...positions.values()].map((each) => ({ ...each, position: each.offset })));
    const fetch = () => {
      if (isOver) return;
      for (const at of positions.values()) {
        const { topic, partition, next: from } = at;
        const records = (this.#topics.get(topic)?.[partition] ?? []).slice(from, from + 10);
        if (records.length === 0) continue;
        const next = from + records.length;
        const batch: FetchedBatch = {
          topic,
          partition,
          from,
          next,
          highWatermark: next,
          records,
        };
        if (member.batch(batch)) at.next = next;
      }
      setImmediate(fetch);
    };
    setImmediate(fetch);
    return {
      commit: (offsets: readonly PartitionOffset[], accepted?: (partition: Partition) => void) => {
        offsets.forEach((each) => accepted?.(each));
        if (!this.losesCommits)
          for (const { topic, partition, offset } of offsets)
            this.#committed.set(`${partition}/${topic}`, offset);
        return Promise.resolve();
      },
      pause: () => undefined,
      resume: () => undefined,
      leave: () => {
        isOver = true;
        return Promise.resolve();
      },
    };
  }
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

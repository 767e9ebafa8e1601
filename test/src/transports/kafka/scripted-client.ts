import type { BusbarError } from '../../../../src/base/errors.js';
import type {
  FetchedBatch,
  GroupMember,
  KafkaClient,
  OutgoingRecord,
  PartitionOffset,
} from '../../../../src/transports/kafka/client.js';
import { recordHeaders } from '../../../../src/transports/record-headers.js';

/** A client that does what a test says, in the order in which it says it. */
export interface ScriptedClient extends KafkaClient {
  readonly member: GroupMember;
  readonly commits: PartitionOffset[][];
  readonly produced: OutgoingRecord[];
  readonly paused: boolean;
  /** Errors of the next attempts to produce, and of commits; a promise is a commit that gets no response. */
  readonly produceErrors: BusbarError[];
  readonly commitErrors: (Error | Promise<never>)[];
  /** Offers `count` records from offset `from`. Returns whether they were accepted. */
  fetch(from: number, count: number, bytes?: number): boolean;
}

export function scriptedClient(): ScriptedClient {
  const commits: PartitionOffset[][] = [];
  const produced: OutgoingRecord[] = [];
  const produceErrors: BusbarError[] = [];
  const commitErrors: ScriptedClient['commitErrors'] = [];
  let member: GroupMember | undefined;
  let paused = false;
  const client: ScriptedClient = {
    commits,
    produced,
    produceErrors,
    commitErrors,
    get member() {
      return member!;
    },
    get paused() {
      return paused;
    },
    fetch: (from, count, bytes = 1) => client.member.batch(batchOf(from, count, bytes)),
    connect: () =>
      Promise.resolve({
        describeTopic: (name) => Promise.resolve({ name, partitions: 4, maxMessageBytes: 1_000 }),
        createTopic: () => Promise.resolve(),
        produce(record) {
          const error = produceErrors.shift();
          if (error !== undefined) return Promise.reject(error);
          produced.push(record);
          return Promise.resolve({ topic: record.topic, partition: 0, offset: produced.length - 1 });
        },
        rangesOf: () => Promise.resolve(undefined),
        read: () => ({
          [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
        }),
        join(_, joining) {
          member = joining;
          joining.assigned([{ topic: 'events', partition: 1, position: 0 }]);
          return Promise.resolve({
            commit(offsets, accepted) {
              const error = commitErrors.shift();
              if (error !== undefined) return error instanceof Error ? Promise.reject(error) : error;
              commits.push([...offsets]);
              offsets.forEach((each) => accepted?.(each));
              return Promise.resolve();
            },
            pause: () => {
              paused = true;
            },
            resume: () => {
              paused = false;
            },
            leave: () => Promise.resolve(),
          });
        },
        close: () => Promise.resolve(),
      }),
  };
  return client;
}

function batchOf(from: number, count: number, bytes: number): FetchedBatch {
  return {
    topic: 'events',
    partition: 1,
    from,
    next: from + count,
    highWatermark: 1_000,
    records: Array.from({ length: count }, (_, n) => ({
      topic: 'events',
      partition: 1,
      offset: from + n,
      timestamp: 0,
      key: null,
      value: Buffer.alloc(bytes),
      headers: recordHeaders(),
    })),
  };
}

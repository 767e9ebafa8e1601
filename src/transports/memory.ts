import { boolean, clockObject, iterable, type OptionTable, readOptions, whole } from '../base/options.js';
import { type Clock, systemClock } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import { MemoryRun, PartitionLog } from './memory-run.js';
import { type HeaderInput, recordHeaders } from './record-headers.js';
import type { ConsumerRecord, DeadLetterCause, Subscription, Transport } from './transport.js';

export interface MemoryOptions {
  /** Sent at once, as by `send`. */
  readonly records?: Iterable<MemoryRecord>;
  /** Partitions per topic. Default 1. */
  readonly partitions?: number;
  /** How many records may wait to be settled before `send` refuses more. Default 1,000,000. */
  readonly capacity?: number;
  /** Whether records can be set aside. Default true. */
  readonly deadLetters?: boolean;
  /** Stamps the records. Default the wall clock. */
  readonly clock?: Clock;
}

export interface MemoryRecord {
  /** Default `platform.events`. */
  readonly topic?: string;
  /** Default: by the key, so that a key stays in order; 0 without a key. */
  readonly partition?: number;
  readonly key?: string | Uint8Array | null;
  /** Text is sent as UTF-8; `null` is a tombstone. */
  readonly value: string | Uint8Array | null;
  readonly headers?: HeaderInput;
}

export interface MemoryTransport extends Transport {
  /** What consumers set aside, in that order. */
  readonly deadLetters: readonly MemoryDeadLetter[];
  /**
   * Appends records; a running consumer gets them soon, a later one when it starts.
   * @throws BusbarError `capacity-exceeded` when too many wait already, `invalid-option` for a partition that is not there.
   */
  send(...records: readonly MemoryRecord[]): void;
  /** No record will follow: runs end when all that was sent is settled. */
  end(): void;
}

export interface MemoryDeadLetter {
  readonly record: ConsumerRecord;
  readonly cause: DeadLetterCause;
}

const memoryOptions = {
  records: { type: iterable },
  partitions: { type: whole({ from: 1 }), default: 1 },
  capacity: { type: whole({ from: 1, orInfinity: true }), default: 1_000_000 },
  deadLetters: { type: boolean, default: true },
  clock: { type: clockObject, default: systemClock },
} satisfies OptionTable<MemoryOptions>;

/**
 * A transport inside this process, for tests and first steps: topics with partitions, order per key, and positions
 * that outlive a run, as one Kafka consumer group with one member has them. Settled records are forgotten. One run at
 * a time.
 *
 * @example
 * const transport = memory();
 * const running = await consumer.run(transport);
 * transport.send({ key: 'A-1', value: JSON.stringify({ event_type: 'account.created', version: 'v1', payload }) });
 */
export function memory(options: MemoryOptions = {}): MemoryTransport {
  const settings = readOptions('memory()', memoryOptions, options);
  const { partitions, capacity, deadLetters: setsAside, clock } = settings;
  const logs = new Map<string, PartitionLog[]>();
  const setAside: MemoryDeadLetter[] = [];
  let waiting = 0;
  let ended = false;
  let run: MemoryRun | undefined;

  const logsOf = (topic: string) => {
    let found = logs.get(topic);
    if (found === undefined) {
      found = Array.from({ length: partitions }, (_, partition) => new PartitionLog({ topic, partition }));
      logs.set(topic, found);
    }
    return found;
  };

  const append = (sent: MemoryRecord) => {
    const key = typeof sent.key === 'string' ? Buffer.from(sent.key) : (sent.key ?? null);
    const topic = sent.topic ?? 'platform.events';
    const number = sent.partition ?? (key === null || partitions === 1 ? 0 : hash(key) % partitions);
    const log = logsOf(topic)[number];
    if (log === undefined) {
      throw new BusbarError(
        'invalid-option',
        `memory(): topic "${topic}" has no partition "${number}": there are ${partitions}, from 0 on.`,
      );
    }
    if (ended) {
      throw new BusbarError('invalid-option', 'memory(): send() was called after end(). End it later.');
    }
    if (waiting >= capacity) {
      throw new BusbarError(
        'capacity-exceeded',
        `memory(): ${waiting} records wait to be settled. Run a consumer, or raise "capacity".`,
      );
    }
    waiting++;
    log.append({
      topic,
      partition: number,
      offset: log.end,
      timestamp: clock.now(),
      key,
      value: typeof sent.value === 'string' ? Buffer.from(sent.value) : sent.value,
      headers: recordHeaders(sent.headers),
    });
  };

  const transport: MemoryTransport = {
    name: 'memory',
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters: setsAside },
    deadLetters: setAside,
    send(...records) {
      for (const record of records) append(record);
      run?.wake();
    },
    end() {
      ended = true;
      run?.wake();
    },
    open(receiver) {
      if (run !== undefined) {
        return Promise.reject(
          new BusbarError(
            'connection-failed',
            'memory(): a consumer runs on this transport already. Stop it first, or make a transport for each.',
          ),
        );
      }
      run = new MemoryRun(logs, receiver, () => ended);
      const opened = run;
      opened.wake();
      const subscription: Subscription = {
        commit(partition, offset) {
          const log = logs.get(partition.topic)?.[partition.partition];
          if (run === opened && log !== undefined) waiting -= log.commit(offset);
        },
        resume: (partition) => opened.resume(partition),
        delivered: () => opened.delivered(),
        stop() {
          opened.close();
          if (run === opened) run = undefined;
          return Promise.resolve();
        },
      };
      if (!setsAside) return Promise.resolve(subscription);
      return Promise.resolve({
        ...subscription,
        deadLetter(record, cause) {
          setAside.push({ record, cause });
          return Promise.resolve();
        },
      });
    },
  };
  transport.send(...(options.records ?? []));
  return transport;
}

/** FNV-1a: any hash will do that sends a key to the same partition each time. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

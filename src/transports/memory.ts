import { boolean, clockObject, iterable, type OptionTable, readOptions, whole } from '../base/options.js';
import { type Clock, systemClock } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import { MemoryRun, PartitionLog } from './memory-run.js';
import { type HeaderInput, recordHeaders } from './record-headers.js';
import type { ConsumerRecord, DeadLetterCause, Subscription, Transport } from './transport.js';

/** Options of {@link memory}. */
export interface MemoryOptions {
  /** Records to send immediately. */
  readonly records?: Iterable<MemoryRecord>;
  /** Number of partitions per topic. Default 1. */
  readonly partitions?: number;
  /** Maximum number of unsettled records; `send` refuses more. Default 1,000,000. */
  readonly capacity?: number;
  /** Whether the transport has dead letters. Default true. */
  readonly deadLetters?: boolean;
  /** Clock for the records' timestamps. Default: the wall clock. */
  readonly clock?: Clock;
}

/** A record to send by {@link memory}. */
export interface MemoryRecord {
  /** Topic. Default `platform.events`. */
  readonly topic?: string;
  /** Partition. Default: by the key, so that a key stays in order; 0 without a key. */
  readonly partition?: number;
  readonly key?: string | Uint8Array | null;
  /** Value. Text is sent as UTF-8; `null` is a tombstone. */
  readonly value: string | Uint8Array | null;
  readonly headers?: HeaderInput;
}

/** The transport of {@link memory}. */
export interface MemoryTransport extends Transport {
  /** Records that consumers dead-lettered, in order. */
  readonly deadLetters: readonly MemoryDeadLetter[];
  /**
   * Appends records. A running consumer receives them in a later turn of the event loop, a later consumer when it starts.
   * @throws BusbarError `capacity-exceeded` above `capacity`, `invalid-option` for a partition that does not exist
   */
  send(...records: readonly MemoryRecord[]): void;
  /** Ends the source: runs finish when every record is settled. */
  end(): void;
}

/** A dead letter of {@link memory}. */
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
 * Creates a transport inside this process, for tests and first steps. It has topics with partitions, order per key, and
 * offsets that outlive a run, like a Kafka consumer group with one member. It drops settled records, and has one run at
 * a time.
 * @throws BusbarError `invalid-option`, `capacity-exceeded`
 * @example
 * const transport = memory();
 * const running = await consumer.run(transport);
 * transport.send({ key: 'A-1', value: JSON.stringify({ event_type: 'account.created', version: 'v1', payload }) });
 */
export function memory(options: MemoryOptions = {}): MemoryTransport {
  const settings = readOptions('memory()', memoryOptions, options);
  const { partitions, capacity, deadLetters: hasDeadLetters, clock } = settings;
  const logs = new Map<string, PartitionLog[]>();
  const deadLetters: MemoryDeadLetter[] = [];
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
        `memory(): topic "${topic}" has no partition "${number}". Choose one from 0 to ${partitions - 1}.`,
      );
    }
    if (ended) {
      throw new BusbarError('invalid-option', 'memory(): send() was called after end(). Call end() later.');
    }
    if (waiting >= capacity) {
      throw new BusbarError(
        'capacity-exceeded',
        `memory(): ${waiting} records are unsettled. Run a consumer, or raise "capacity".`,
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
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters: hasDeadLetters },
    deadLetters,
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
            'memory(): a consumer already runs on this transport. Stop it first, or create a transport for each consumer.',
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
      if (!hasDeadLetters) return Promise.resolve(subscription);
      return Promise.resolve({
        ...subscription,
        deadLetter(record, cause) {
          deadLetters.push({ record, cause });
          return Promise.resolve();
        },
      });
    },
  };
  transport.send(...(options.records ?? []));
  return transport;
}

/** FNV-1a. Any deterministic hash would work. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

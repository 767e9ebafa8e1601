import { positionOf } from '../dispatch.js';
import type { PartitionLanes } from './lanes.js';
import { quoted } from '../quoted.js';
import type { RunningAttempt } from './running-attempt.js';
import type { Partition } from '../transports/transport.js';

/** Whether a consumer gets on with its work: progress, not connection. */
export interface Health {
  readonly status: 'ok' | 'unhealthy';
  /** Sentences; empty when all is well. */
  readonly reasons: readonly string[];
  readonly partitions: readonly PartitionHealth[];
  /** Attempts that are under way. */
  readonly running: number;
  /** Lanes between two attempts. */
  readonly backingOff: number;
  /** Handlers beyond their deadline that ignore their signal. */
  readonly hung: readonly HungHandler[];
}

export interface PartitionHealth extends Partition {
  /** The offset after the newest record taken; undefined before the first. */
  readonly taken: number | undefined;
  /** Everything before this offset is settled. */
  readonly committed: number | undefined;
  /** The oldest unsettled record; its age is counted from when it was taken, in milliseconds of the run's clock. */
  readonly oldest: { readonly offset: number; readonly age: number } | undefined;
  readonly unsettled: number;
  /** Records from the oldest unsettled to the newest taken, and their bytes. */
  readonly window: { readonly records: number; readonly bytes: number };
  /** It takes no more before the oldest unsettled record is settled. */
  readonly isFull: boolean;
  /** It takes no more before the consumer is started again: a record could not be set aside. */
  readonly isStopped: boolean;
}

export interface HungHandler extends Partition {
  readonly handler: string;
  readonly offset: number;
  /** Since the attempt began, in milliseconds of the wall clock. */
  readonly age: number;
}

/** A full window is how a slow consumer holds its source back; one whose oldest record is that old is blocked. In ms. */
export const blockedAfter = 60_000;

export interface HealthInputs {
  readonly works: Iterable<PartitionLanes>;
  readonly running: ReadonlySet<RunningAttempt>;
  /** What ended the run. */
  readonly failure: Error | undefined;
  readonly now: number;
}

export function healthOf({ works, running, failure, now }: HealthInputs): Health {
  const reasons: string[] = [];
  const partitions: PartitionHealth[] = [];
  let backingOff = 0;
  if (failure !== undefined) reasons.push(`The consumer has ended: ${failure.message}`);
  for (const work of works) {
    const health = partitionHealth(work, now);
    partitions.push(health);
    backingOff += work.backingOff;
    const { topic, partition, oldest, window } = health;
    const name = `Topic ${quoted(topic)}, partition ${partition}`;
    if (work.stoppedBy !== undefined) reasons.push(`${name} is stopped: ${work.stoppedBy.message}`);
    if (health.isFull && oldest !== undefined && oldest.age >= blockedAfter) {
      reasons.push(
        `${name} is blocked: offset ${oldest.offset} is unsettled since ${seconds(oldest.age)}, ` +
          `and the ${window.records} records from there on fill its window.`,
      );
    }
  }
  const hung = [...running].filter(({ isHung }) => isHung);
  for (const { handler, deadline, record, age } of hung) {
    reasons.push(
      `Handler ${quoted(handler)} runs since ${seconds(age)}, beyond its deadline of ${seconds(deadline)}, and ` +
        `ignores its signal (${positionOf(record)}).`,
    );
  }
  return {
    status: reasons.length === 0 ? 'ok' : 'unhealthy',
    reasons,
    partitions,
    running: running.size,
    backingOff,
    hung: hung.map(({ handler, record: { topic, partition, offset }, age }) => ({
      handler,
      topic,
      partition,
      offset,
      age,
    })),
  };
}

function partitionHealth(
  { partition: { topic, partition }, window, committed, stoppedBy }: PartitionLanes,
  now: number,
): PartitionHealth {
  const { oldest } = window;
  return {
    topic,
    partition,
    taken: window.taken,
    committed,
    oldest: oldest && { offset: oldest.offset, age: now - oldest.since },
    unsettled: window.unsettled,
    window: { records: window.records, bytes: window.bytes },
    isFull: window.isFull,
    isStopped: stoppedBy !== undefined,
  };
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}

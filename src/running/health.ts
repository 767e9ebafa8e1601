import { positionOf } from '../dispatch.js';
import type { PartitionLanes } from './partition-lanes.js';
import { quoted } from '../base/quoted.js';
import type { RunningAttempt } from './running-attempt.js';
import type { Partition, SubscriptionStatus } from '../transports/transport.js';
import { told } from '../base/thrown.js';

/** Whether a consumer gets on with its work: progress, not connection. */
export interface Health {
  readonly status: 'ok' | 'unhealthy';
  /** Sentences; empty when all is well. */
  readonly reasons: readonly string[];
  /** Why it takes no records now, though that may be as it should; empty when it does. */
  readonly unready: readonly string[];
  /** What the transport tells of itself; undefined where it tells nothing. */
  readonly source: SubscriptionStatus | undefined;
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
  readonly window: {
    readonly records: number;
    readonly bytes: number;
    /** 1 is full, by records, bytes or the partition's share of `budgetBytes`, whichever is nearest. */
    readonly used: number;
  };
  /** It takes no more before the oldest unsettled record is settled. */
  readonly isFull: boolean;
  /** It is full, and its oldest record has been unsettled for a minute. */
  readonly isBlocked: boolean;
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

/** A source that is connected answers many times a second, with records or without; one silent for so long is stuck. In ms. */
export const silentAfter = 60_000;

/** What has lost its connection connects again by itself; after so long something else must help. In ms. */
export const interruptedAfter = 300_000;

export interface HealthInputs {
  readonly works: Iterable<PartitionLanes>;
  readonly running: ReadonlySet<RunningAttempt>;
  /** What ended the run. */
  readonly failure: Error | undefined;
  /** It is being stopped, or has ended. */
  readonly isEnding: boolean;
  readonly source: SubscriptionStatus | undefined;
  readonly now: number;
}

export function healthOf(inputs: HealthInputs): Health {
  const { works, running, failure, isEnding, source, now } = inputs;
  const reasons: string[] = [];
  const partitions: PartitionHealth[] = [];
  let backingOff = 0;
  if (failure !== undefined) reasons.push(`The consumer has ended: ${told(failure)}`);
  for (const work of works) {
    const health = partitionHealth(work, now);
    partitions.push(health);
    backingOff += work.backingOff;
    const { topic, partition, oldest, window } = health;
    const name = `Topic ${quoted(topic)}, partition ${partition}`;
    if (work.stoppedBy !== undefined) reasons.push(`${name} is stopped: ${work.stoppedBy.message}`);
    if (health.isBlocked && oldest !== undefined) {
      reasons.push(
        `${name} is blocked: offset ${oldest.offset} is unsettled since ${seconds(oldest.age)}, ` +
          `and the ${window.records} records from there on ${work.window.isOutOfMemory ? 'use up its share of "budgetBytes"' : 'fill its window'}.`,
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
  if (source !== undefined && !isEnding) reasons.push(...stuck(source, now));
  return {
    unready: unready(inputs),
    source,
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
  const { isFull } = window;
  const oldest = window.oldest && { offset: window.oldest.offset, age: now - window.oldest.since };
  return {
    topic,
    partition,
    taken: window.taken,
    committed,
    oldest,
    unsettled: window.unsettled,
    window: { records: window.records, bytes: window.bytes, used: window.used },
    isFull,
    isBlocked: isFull && oldest !== undefined && oldest.age >= blockedAfter,
    isStopped: stoppedBy !== undefined,
  };
}

/** Connected is not enough: nothing may come of it. */
function stuck(
  { connected, interruption, lastHeard, partitions }: SubscriptionStatus,
  now: number,
): string[] {
  if (interruption !== undefined) {
    const lasts = now - interruption.since;
    if (lasts < interruptedAfter) return [];
    return [`The source is interrupted since ${seconds(lasts)}: ${interruption.reason}`];
  }
  const silence = lastHeard === undefined ? 0 : now - lastHeard;
  if (!connected || partitions.length === 0 || silence < silentAfter) return [];
  return [`The source is connected, but has not answered since ${seconds(silence)}.`];
}

function unready({ failure, isEnding, source }: HealthInputs): string[] {
  if (failure !== undefined) return [`The consumer has ended: ${told(failure)}`];
  if (isEnding) return ['The consumer is being stopped, or has ended.'];
  if (source === undefined || source.connected) return [];
  if (source.interruption === undefined) return ['The consumer has not been given its partitions yet.'];
  return [`The source is interrupted: ${source.interruption.reason}`];
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}

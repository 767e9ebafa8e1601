import { positionOf } from '../dispatch.js';
import { quoted, safeMessage } from '../base/errors.js';
import type { RunningAttempt } from './running-attempt.js';
import type { SettledWindow } from './settled-window.js';
import type { Partition, SubscriptionStatus } from '../transports/transport.js';

/** Health of a running consumer: whether it makes progress, not whether it is connected. */
export interface Health {
  readonly status: 'ok' | 'unhealthy';
  /** Reasons for `unhealthy`, as sentences; empty when `ok`. */
  readonly reasons: readonly string[];
  /** Reasons why the consumer takes no records now, as sentences, even if that is expected; empty when it does. */
  readonly unready: readonly string[];
  /** Status of the transport; undefined where the transport has none. */
  readonly source: SubscriptionStatus | undefined;
  readonly partitions: readonly PartitionHealth[];
  /** Number of running attempts. */
  readonly running: number;
  /** Number of lanes that wait for a retry. */
  readonly backingOff: number;
  /** Handlers that exceeded their deadline and ignore their signal. */
  readonly hung: readonly HungHandler[];
}

/** Progress of one partition. */
export interface PartitionHealth extends Partition {
  /** Offset after the newest record taken; undefined before the first. */
  readonly taken: number | undefined;
  /** Offset before which every record is settled; undefined before the first commit. */
  readonly committed: number | undefined;
  /** Oldest unsettled record, with the time since it was taken, in milliseconds of the run's clock. */
  readonly oldest: { readonly offset: number; readonly age: number } | undefined;
  readonly unsettled: number;
  /** Number and bytes of the records from the oldest unsettled to the newest taken one. */
  readonly window: {
    readonly records: number;
    readonly bytes: number;
    /** Used part of the limit that is nearest: records, bytes, or the partition's share of `budgetBytes`. 1 is full. */
    readonly used: number;
  };
  /** Whether the window is full: the partition takes no more records until the oldest unsettled one is settled. */
  readonly isFull: boolean;
  /** Whether the window is full and its oldest record has been unsettled for a minute. */
  readonly isBlocked: boolean;
  /** Whether the partition takes no more records until a restart, because a record could not be dead-lettered. */
  readonly isStopped: boolean;
}

/** A handler that exceeded its deadline and ignores its signal. */
export interface HungHandler extends Partition {
  readonly handler: string;
  readonly offset: number;
  /** Time since the attempt began, in milliseconds of the wall clock. */
  readonly age: number;
}

/** In milliseconds. A full window alone is normal for a slow consumer; with an oldest record this old it is blocked. */
const blockedAfter = 60_000;

/** In milliseconds. A connected source responds many times a second, with records or without. */
const silentAfter = 60_000;

/** In milliseconds. A lost connection is restored automatically; after this time, someone must act. */
const interruptedAfter = 300_000;

interface PartitionProgress {
  readonly partition: Partition;
  readonly window: SettledWindow;
  readonly committed: number | undefined;
  readonly stoppedBy: Error | undefined;
  readonly backingOff: number;
}

interface HealthInputs {
  readonly works: Iterable<PartitionProgress>;
  readonly running: ReadonlySet<RunningAttempt>;
  /** Error that ended the run. */
  readonly failure: Error | undefined;
  /** Whether the run is stopping or has ended. */
  readonly isEnding: boolean;
  readonly source: SubscriptionStatus | undefined;
  readonly now: number;
}

export function healthOf(inputs: HealthInputs): Health {
  const { works, running, failure, isEnding, source, now } = inputs;
  const reasons: string[] = [];
  const partitions: PartitionHealth[] = [];
  let backingOff = 0;
  if (failure !== undefined) reasons.push(`The consumer has ended: ${safeMessage(failure)}`);
  for (const work of works) {
    const health = partitionHealth(work, now);
    partitions.push(health);
    backingOff += work.backingOff;
    const { topic, partition, oldest, window } = health;
    const name = `Topic ${quoted(topic)}, partition ${partition}`;
    if (work.stoppedBy !== undefined) reasons.push(`${name} is stopped: ${work.stoppedBy.message}`);
    if (health.isBlocked && oldest !== undefined) {
      reasons.push(
        `${name} is blocked: offset ${oldest.offset} has been unsettled for ${seconds(oldest.age)}, ` +
          `and the ${window.records} records from that offset ${work.window.isOutOfMemory ? 'use up its share of "budgetBytes"' : 'fill its window'}.`,
      );
    }
  }
  const hung = [...running].filter(({ isHung }) => isHung);
  for (const { handler, deadline, record, age } of hung) {
    reasons.push(
      `Handler ${quoted(handler)} has run for ${seconds(age)}, exceeds its deadline of ${seconds(deadline)} and ` +
        `ignores its signal (${positionOf(record)}).`,
    );
  }
  if (source !== undefined && !isEnding) reasons.push(...sourceProblems(source, now));
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
  { partition: { topic, partition }, window, committed, stoppedBy }: PartitionProgress,
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

function sourceProblems(
  { connected, interruption, lastHeard, partitions }: SubscriptionStatus,
  now: number,
): string[] {
  if (interruption !== undefined) {
    const lasts = now - interruption.since;
    if (lasts < interruptedAfter) return [];
    return [`The source has been interrupted for ${seconds(lasts)}: ${interruption.reason}`];
  }
  const silence = lastHeard === undefined ? 0 : now - lastHeard;
  // Nothing is requested while records of every partition wait for room.
  const isExpected = partitions.some(({ waiting }) => waiting === 0);
  if (!connected || !isExpected || silence < silentAfter) return [];
  return [`The source is connected, but has not responded for ${seconds(silence)}.`];
}

function unready({ failure, isEnding, source }: HealthInputs): string[] {
  if (failure !== undefined) return [`The consumer has ended: ${safeMessage(failure)}`];
  if (isEnding) return ['The consumer is stopping or has ended.'];
  if (source === undefined || source.connected) return [];
  if (source.interruption === undefined) return ['The consumer group has not assigned partitions yet.'];
  return [`The source is interrupted: ${source.interruption.reason}`];
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}

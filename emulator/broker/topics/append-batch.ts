import type { Clock } from 'busbar/base';
import { type ErrorCode, errorCodes } from 'busbar/internal/kafka-protocol';
import { checkBatch, stampAppendTime, wholeBatch } from '../log/check-batch.js';
import { configValue, type Topic } from './topic.js';
import type { Topics } from './topics.js';

export interface Appended {
  readonly errorCode: ErrorCode;
  /** -1 if nothing was appended. */
  readonly baseOffset: number;
  /** -1 unless the topic uses the broker's time. */
  readonly logAppendTimeMs: number;
}

/**
 * Appends a batch of a client or of a sink in this process. Checks the batch and its producer's sequence, and drops old
 * segments above the limits. Changes the batch in place, then copies it.
 */
export function appendBatch(
  topics: Topics,
  { topic, partition }: { readonly topic: Topic; readonly partition: number },
  bytes: Buffer,
  clock: Clock,
): Appended {
  const log = topic.partitions[partition];
  if (!log) return notAppended(errorCodes.unknownTopicOrPartition);
  const batch = wholeBatch(bytes);
  if (typeof batch === 'number') return notAppended(batch);
  if (batch.length > topics.capacity.maxBatchBytes(topic)) return notAppended(errorCodes.messageTooLarge);
  const checked = checkBatch(batch);
  if (typeof checked === 'number') return notAppended(checked);
  const sequence = log.producers.check(checked);
  if (typeof sequence === 'number') return notAppended(sequence);
  if (sequence) return { errorCode: errorCodes.none, ...sequence };

  const now = clock.now();
  const stamped = configValue(topic, 'message.timestamp.type') === 'LogAppendTime';
  if (stamped) stampAppendTime(batch, now);
  const header = stamped ? { ...checked, maxTimestamp: now } : checked;
  const baseOffset = log.append(batch, header);
  log.producers.remember(header, baseOffset);
  topics.capacity.added(topic, log, batch.length);
  return { errorCode: errorCodes.none, baseOffset, logAppendTimeMs: stamped ? now : -1 };
}

/** Returns the result for a refused batch. */
export function notAppended(errorCode: ErrorCode): Appended {
  return { errorCode, baseOffset: -1, logAppendTimeMs: -1 };
}

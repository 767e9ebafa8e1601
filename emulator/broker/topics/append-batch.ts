import type { BrokerClock } from '../clock.js';
import { checkBatch, stampAppendTime, wholeBatch } from '../log/record-batch.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { configValue, type Topic, type Topics } from './topics.js';

export interface Appended {
  readonly errorCode: ErrorCode;
  /** -1 when nothing was appended. */
  readonly baseOffset: number;
  /** -1 unless the topic is configured to use the broker's time. */
  readonly logAppendTimeMs: number;
}

/**
 * The one way into a log, for clients and for sinks in the process: checks the batch and its producer's sequence,
 * appends it, and keeps the caps. The batch is changed in place and copied.
 */
export function appendBatch(
  topics: Topics,
  { topic, partition }: { readonly topic: Topic; readonly partition: number },
  bytes: Buffer,
  clock: BrokerClock,
): Appended {
  const log = topic.partitions[partition];
  if (!log) return refused(errorCodes.unknownTopicOrPartition);
  const batch = wholeBatch(bytes);
  if (typeof batch === 'number') return refused(batch);
  if (
    batch.length > Math.min(Number(configValue(topic, 'max.message.bytes')), topics.capacity.maxBatchBytes)
  ) {
    return refused(errorCodes.messageTooLarge);
  }
  const checked = checkBatch(batch);
  if (typeof checked === 'number') return refused(checked);
  const sequence = log.producers.check(checked);
  if (typeof sequence === 'number') return refused(sequence);
  if (sequence) return { errorCode: errorCodes.none, ...sequence };

  const now = clock.now();
  const stamped = configValue(topic, 'message.timestamp.type') === 'LogAppendTime';
  if (stamped) stampAppendTime(batch, now);
  const baseOffset = log.append(batch, stamped ? { ...checked, maxTimestamp: now } : checked);
  log.producers.remember(stamped ? { ...checked, maxTimestamp: now } : checked, baseOffset);
  topics.capacity.added(topic, batch.length, Number(configValue(topic, 'retention.bytes')), log);
  return { errorCode: errorCodes.none, baseOffset, logAppendTimeMs: stamped ? now : -1 };
}

function refused(errorCode: ErrorCode): Appended {
  return { errorCode, baseOffset: -1, logAppendTimeMs: -1 };
}

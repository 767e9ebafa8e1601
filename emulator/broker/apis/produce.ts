import {
  errorCodes,
  int16,
  int32,
  int64,
  list,
  MalformedMessage,
  type Read,
  records,
  string,
  optionalList,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { eachPartition } from '../responses.js';
import { type Appended, appendBatch, notAppended } from '../topics/append-batch.js';

const ZSTD = 4;

const request = {
  transactionalId: string('v3+', { nullable: 'v3+' }),
  acks: int16(),
  timeoutMs: int32(),
  topics: list({
    name: string(),
    partitions: list({
      index: int32(),
      records: records(),
    }),
  }),
};

export const produce = defineApi({
  key: 0,
  name: 'Produce',
  versions: 'v0-9',
  // librdkafka up to 2.0 takes a broker whose lowest version is 3 as one without compression (KAFKA-18659).
  served: 'v3-9',
  flexible: 'v9+',
  behaviour:
    'Appends record batches of format 2 with any compression, without reading their records; checks length, checksum and, for idempotent producers, the sequence. Advertises versions 0 to 2, from which old clients infer support for compression, and refuses them.',
  omissions: ['transactional batches', 'record formats 0 and 1', 'validation of single records'],
  request,
  response: {
    topics: list({
      name: string(),
      partitions: list({
        index: int32(),
        errorCode: int16(),
        baseOffset: int64('v0+', { default: -1 }),
        logAppendTimeMs: int64('v2+', { default: -1 }),
        logStartOffset: int64('v5+', { default: -1 }),
        recordErrors: optionalList(
          { batchIndex: int32(), message: string('v8+', { nullable: 'v8+' }) },
          'v8+',
        ),
        errorMessage: string('v8+', { nullable: 'v8+', default: null }),
      }),
    }),
    throttleTimeMs: int32('v1+', { default: 0 }),
  },
  handle(message, context) {
    const { acks } = message;
    if (acks < -1 || acks > 1) return refused(message, errorCodes.invalidRequiredAcks);
    const topics = message.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((partition) => ({
        index: partition.index,
        ...append(context, name, partition),
        logStartOffset: context.broker.topics.get(name)?.partitions[partition.index]?.startOffset ?? -1,
      })),
    }));
    if (acks !== 0) return { topics };
    // With acks=0 only a closed connection can report an error to the producer.
    const failed = topics.some(({ partitions }) =>
      partitions.some(({ errorCode }) => errorCode !== errorCodes.none),
    );
    if (failed) throw new MalformedMessage('a batch with acks=0 was refused');
    return null;
  },
  refuse: refused,
});

function append(
  { broker, version, clientId }: RequestContext,
  topicName: string,
  { index, records: batch }: { readonly index: number; readonly records: Buffer | null },
): Appended {
  const topic = broker.topics.get(topicName);
  if (!topic) return notAppended(errorCodes.unknownTopicOrPartition);
  if (!batch) return notAppended(errorCodes.invalidRecord);
  if (version < 7 && batch.length > 22 && (batch.readInt8(22) & 7) === ZSTD) {
    return notAppended(errorCodes.unsupportedCompressionType);
  }
  const appended = appendBatch(broker.topics, { topic, partition: index }, batch, broker.clock);
  if (appended.errorCode !== errorCodes.none) {
    const at = { topic: topicName, partition: index };
    broker.logger.warn('produced batch refused', { ...at, code: appended.errorCode, clientId });
  }
  return appended;
}

function refused({ topics }: Read<typeof request>, errorCode: number) {
  return { topics: eachPartition(topics, ({ index }) => ({ index, errorCode })) };
}

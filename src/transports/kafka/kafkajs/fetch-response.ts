import type { KafkaMessage } from 'kafkajs';
import { areRecordBatches, decodeRecordSet, type RecordSet } from '../../../kafka-protocol/record-set.js';
import { int64At } from '../../../kafka-protocol/record-reader.js';
import type { ConsumerRecord } from '../../transport.js';
import { codecFor } from './codecs.js';
import { recordOf } from './records.js';

/** What of kafkajs' brokers is used here. */
export interface Broker {
  lookupRequest(apiKey: number, definition: object): (options: object) => Call;
}

interface Call {
  readonly request: { readonly apiVersion: number };
  readonly response: { decode(raw: Buffer): Promise<object> };
}

/** A message in the place of all that one fetch brought of a partition. */
interface FetchedMessage extends Pick<KafkaMessage, 'offset'> {
  readonly isControlRecord: boolean;
  readonly fetched: RecordSet;
}

/**
 * The broker with another way to read what it fetches. kafkajs makes a dozen objects of every record and decodes all of
 * its headers, which takes longer than everything that is done with most events; so it gets one message for all records
 * of a partition, which are read here.
 */
export function withRecordSets<B extends Broker>(broker: B): B {
  const wrapped = Object.create(broker) as B;
  wrapped.lookupRequest = (apiKey, definition) => {
    const callWith = broker.lookupRequest(apiKey, definition);
    return apiKey === fetchKey ? (options) => readingRecordSets(callWith(options)) : callWith;
  };
  return wrapped;
}

/** The records from an offset on among kafkajs' messages. */
export function recordsAmong(
  topic: string,
  partition: number,
  from: number,
  messages: readonly KafkaMessage[],
): ConsumerRecord[] {
  return messages.flatMap((message): readonly ConsumerRecord[] => {
    if (!('fetched' in message)) return [recordOf(topic, partition, message)];
    const { records } = (message as unknown as FetchedMessage).fetched;
    // A batch comes whole, also when the position lies within it.
    return (records[0]?.offset ?? from) >= from ? records : records.filter(({ offset }) => offset >= from);
  });
}

const fetchKey = 1;

function readingRecordSets(call: Call): Call {
  const { apiVersion } = call.request;
  if (apiVersion < 4 || apiVersion > 11) return call;
  const { response } = call;
  const decode = async (raw: Buffer) => (await decodeResponse(raw, apiVersion)) ?? response.decode(raw);
  return { ...call, response: { ...response, decode } };
}

/**
 * The answer as kafkajs decodes it, with a message for each partition; nothing when it holds message sets.
 * https://kafka.apache.org/protocol#The_Messages_Fetch
 */
async function decodeResponse(raw: Buffer, version: number): Promise<object | undefined> {
  let at = 0;
  const int16 = () => raw.readInt16BE((at += 2) - 2);
  const int32 = () => raw.readInt32BE((at += 4) - 4);
  const int64 = () => int64At(raw, (at += 8) - 8);
  const list = async <T>(each: () => T | Promise<T>) => {
    const items: T[] = [];
    for (let left = int32(); left > 0; left--) items.push(await each());
    return items;
  };

  const throttleTime = int32();
  const session = version >= 7 ? { errorCode: int16(), sessionId: int32() } : {};
  const responses = await list(async () => {
    const length = int16();
    const topicName = raw.toString('utf8', at, (at += length));
    const partitions = await list(async () => {
      const partition = int32();
      const errorCode = int16();
      const highWatermark = String(int64());
      const lastStableOffset = String(int64());
      const lastStartOffset = version >= 5 ? String(int64()) : undefined;
      const abortedTransactions = await list(() => ({ producerId: int64(), firstOffset: int64() }));
      const preferredReadReplica = version >= 11 ? int32() : undefined;
      const size = Math.max(int32(), 0);
      const bytes = raw.subarray(at, (at += size));
      const place = { topic: topicName, partition };
      const messages = areRecordBatches(bytes)
        ? messagesOf(
            await decodeRecordSet(bytes, place, abortedTransactions, (records, compression) =>
              codecFor(compression, place).decompress(records),
            ),
          )
        : undefined;
      return {
        partition,
        errorCode,
        highWatermark,
        lastStableOffset,
        lastStartOffset,
        preferredReadReplica,
        messages,
      };
    });
    return { topicName, partitions };
  });
  if (responses.some(({ partitions }) => partitions.some(({ messages }) => messages === undefined)))
    return undefined;
  // From version 8 on a broker leaves it to the client to wait (KIP-219).
  const waits = version >= 8 ? { throttleTime: 0, clientSideThrottleTime: throttleTime } : { throttleTime };
  return { ...waits, ...session, responses };
}

function messagesOf(fetched: RecordSet): FetchedMessage[] {
  if (fetched.last === undefined) return [];
  // kafkajs goes past control records without a word to anybody, and so past batches without any record to deliver.
  return [{ offset: String(fetched.last), isControlRecord: fetched.records.length === 0, fetched }];
}

import { type DeadLetterNote, readDeadLetter } from '../../dead-letter.js';
import type { ConsumerRecord } from '../transport.js';
import type { KafkaConnection, OffsetRange, PartitionOffset } from './client.js';

/** A record of a dead-letter topic, and its decoded headers. */
export interface StoredDeadLetter {
  readonly record: ConsumerRecord;
  readonly note: DeadLetterNote;
}

/** Returns the topic that records which dead letters of a dead-letter topic were replayed. */
export const marksTopicOf = (deadLetterTopic: string): string => `${deadLetterTopic}.replayed`;

/** Yields the present dead letters of a topic, partition by partition. Skips other records. */
export async function* readLetters(
  connection: KafkaConnection,
  ranges: readonly OffsetRange[],
): AsyncIterable<StoredDeadLetter> {
  for (const range of ranges) {
    for await (const record of connection.read(range)) {
      const note = readDeadLetter(record.headers);
      if (note !== undefined) yield { record, note };
    }
  }
}

/**
 * The replayed dead letters, with the offset of each replayed record. Identifies a dead letter by its group and the
 * offset of its original record, so copies of one dead letter count as one.
 */
export class ReplayMarks {
  readonly #offsets = new Map<string, PartitionOffset>();

  /** Reads the present marks; none if the topic does not exist. */
  static async read(connection: KafkaConnection, marksTopic: string): Promise<ReplayMarks> {
    const marks = new ReplayMarks();
    for (const range of (await connection.rangesOf(marksTopic)) ?? []) {
      for await (const record of connection.read(range)) {
        const mark = readMark(record);
        if (mark !== undefined) marks.#offsets.set(mark.id, mark.offset);
      }
    }
    return marks;
  }

  /** Returns the offset of the dead letter's last replay, or undefined if it was not replayed. */
  of(note: DeadLetterNote): PartitionOffset | undefined {
    return this.#offsets.get(letterId(note));
  }
}

/** Marks a dead letter as replayed. Resolves when all in-sync replicas have the mark. */
export async function writeMark(
  connection: KafkaConnection,
  marksTopic: string,
  note: DeadLetterNote,
  { topic, partition, offset }: PartitionOffset,
): Promise<void> {
  await connection.produce({
    topic: marksTopic,
    key: Buffer.from(letterId(note)),
    value: Buffer.from(JSON.stringify({ topic, partition, offset })),
    headers: [],
  });
}

/** Returns the identifier that all copies of one dead letter share. */
export function letterId({ group = '', origin: { topic, partition, offset } }: DeadLetterNote): string {
  return JSON.stringify([group, topic, partition, offset]);
}

/** Reads the id of a replayed dead letter and the offset of its replay. Returns undefined for any other record. */
export function readMark({ key, value }: Pick<ConsumerRecord, 'key' | 'value'>) {
  const offset = parseOffset(value);
  return key === null || offset === undefined ? undefined : { id: Buffer.from(key).toString(), offset };
}

function parseOffset(value: Uint8Array | null): PartitionOffset | undefined {
  if (value === null) return undefined;
  try {
    const { topic, partition, offset } = JSON.parse(Buffer.from(value).toString()) as PartitionOffset;
    const isOffset = typeof topic === 'string' && Number.isInteger(partition) && Number.isInteger(offset);
    return isOffset ? { topic, partition, offset } : undefined;
  } catch {
    return undefined;
  }
}

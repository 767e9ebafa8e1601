import { type DeadLetterNote, readDeadLetter } from '../../dead-letter.js';
import type { ConsumerRecord } from '../transport.js';
import type { KafkaConnection, OffsetRange, PartitionOffset } from './client.js';

/** A record of a dead-letter topic, and its decoded headers. */
export interface StoredDeadLetter {
  readonly record: ConsumerRecord;
  readonly note: DeadLetterNote;
}

/** Returns the topic that records which dead letters of a dead-letter topic were replayed or discarded. */
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

/** Returns the dead letter at an offset, or undefined if there is none. */
export async function readLetter(
  connection: KafkaConnection,
  { topic, partition, offset }: PartitionOffset,
): Promise<StoredDeadLetter | undefined> {
  const range = { topic, partition, first: offset, end: offset + 1 };
  for await (const letter of readLetters(connection, [range])) return letter;
  return undefined;
}

/** A mark: the offset of the replayed record, or of the dead letter if it was discarded. */
export interface ReplayMark extends PartitionOffset {
  readonly reason?: 'discarded';
}

/**
 * The replayed and the discarded dead letters. Identifies a dead letter by its group and the offset of its original
 * record, so copies of one dead letter count as one.
 */
export class ReplayMarks {
  readonly #marks = new Map<string, ReplayMark>();

  /** Reads the present marks; none if the topic does not exist. */
  static async read(connection: KafkaConnection, marksTopic: string): Promise<ReplayMarks> {
    const marks = new ReplayMarks();
    for (const range of (await connection.rangesOf(marksTopic)) ?? []) {
      for await (const record of connection.read(range)) {
        const mark = readMark(record);
        if (mark !== undefined) marks.#marks.set(mark.id, mark.mark);
      }
    }
    return marks;
  }

  /** Returns the last mark of the dead letter, or undefined if it was neither replayed nor discarded. */
  of(note: LetterOrigin, letter: PartitionOffset): ReplayMark | undefined {
    return this.#marks.get(letterId(note, letter));
  }
}

/** Marks a dead letter as replayed or discarded. Resolves when all in-sync replicas have the mark. */
export async function writeMark(
  connection: KafkaConnection,
  marksTopic: string,
  id: string,
  { topic, partition, offset, reason }: ReplayMark,
): Promise<void> {
  await connection.produce({
    topic: marksTopic,
    key: Buffer.from(id),
    value: Buffer.from(JSON.stringify({ topic, partition, offset, reason })),
    headers: [],
  });
}

/** The group and the original record of a dead letter. */
export interface LetterOrigin {
  readonly group?: string | undefined;
  readonly origin: PartitionOffset;
}

/**
 * Returns the identifier that all copies of one dead letter share. A record that `dispatch` got without an offset has no
 * copies: its dead letter is known by its own position.
 */
export function letterId({ group = '', origin }: LetterOrigin, letter: PartitionOffset): string {
  const { topic, partition, offset } = origin.offset < 0 ? letter : origin;
  return JSON.stringify([group, topic, partition, offset]);
}

/** Reads the id of a marked dead letter and its mark. Returns undefined for any other record. */
export function readMark({ key, value }: Pick<ConsumerRecord, 'key' | 'value'>) {
  const mark = parseMark(value);
  return key === null || mark === undefined ? undefined : { id: Buffer.from(key).toString(), mark };
}

function parseMark(value: Uint8Array | null): ReplayMark | undefined {
  if (value === null) return undefined;
  try {
    const { topic, partition, offset, reason } = JSON.parse(Buffer.from(value).toString()) as ReplayMark;
    const isOffset = typeof topic === 'string' && Number.isInteger(partition) && Number.isInteger(offset);
    if (!isOffset) return undefined;
    return { topic, partition, offset, ...(reason === 'discarded' && { reason }) };
  } catch {
    return undefined;
  }
}

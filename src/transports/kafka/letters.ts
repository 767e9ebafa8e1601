import { type DeadLetterNote, readDeadLetter } from '../../dead-letter.js';
import type { ConsumerRecord } from '../transport.js';
import type { KafkaConnection, OffsetRange, PartitionOffset } from './client.js';

/** A record of a dead-letter topic, and what its headers say. */
export interface StoredLetter {
  readonly record: ConsumerRecord;
  readonly note: DeadLetterNote;
}

/** Where the dead letters of a topic lie, unless somebody says otherwise. */
export const deadLetterTopicOf = (topic: string): string => `${topic}.dead-letter`;

/** Where it is kept which letters of a dead-letter topic were replayed. */
export const marksTopicOf = (deadLetterTopic: string): string => `${deadLetterTopic}.replayed`;

/** All letters that a topic holds now, partition by partition; what is no dead letter is left out. */
export async function* readLetters(
  connection: KafkaConnection,
  ranges: readonly OffsetRange[],
): AsyncIterable<StoredLetter> {
  for (const range of ranges) {
    for await (const record of connection.read(range)) {
      const note = readDeadLetter(record.headers);
      if (note !== undefined) yield { record, note };
    }
  }
}

/**
 * What was replayed, and to where. A letter is known by its group and by the position of the record that was set aside,
 * so one that was written twice is one.
 */
export class ReplayMarks {
  readonly #places = new Map<string, PartitionOffset>();

  /** Reads the marks that there are; none where the topic does not exist. */
  static async read(connection: KafkaConnection, marksTopic: string): Promise<ReplayMarks> {
    const marks = new ReplayMarks();
    for (const range of (await connection.rangesOf(marksTopic)) ?? []) {
      for await (const { key, value } of connection.read(range)) {
        const place = placeOf(value);
        if (key !== null && place !== undefined) marks.#places.set(Buffer.from(key).toString(), place);
      }
    }
    return marks;
  }

  /** Where the letter was replayed to, last. */
  of(note: DeadLetterNote): PartitionOffset | undefined {
    return this.#places.get(letterId(note));
  }
}

/** Resolves when the mark is safe. */
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

/** The same for all copies of one letter. */
export function letterId({ group = '', origin: { topic, partition, offset } }: DeadLetterNote): string {
  return JSON.stringify([group, topic, partition, offset]);
}

/** What somebody else may have written there does not count. */
function placeOf(value: Uint8Array | null): PartitionOffset | undefined {
  if (value === null) return undefined;
  try {
    const { topic, partition, offset } = JSON.parse(Buffer.from(value).toString()) as PartitionOffset;
    const isPlace = typeof topic === 'string' && Number.isInteger(partition) && Number.isInteger(offset);
    return isPlace ? { topic, partition, offset } : undefined;
  } catch {
    return undefined;
  }
}

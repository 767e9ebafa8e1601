import { replayNote } from '../../replay.js';
import type { HeldLetter } from '../transport.js';
import type { KafkaConnection, PartitionOffset } from './client.js';
import { marksTopicOf, readLetters, ReplayMarks } from './letters.js';

export interface HeldLettersQuery {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topicFor: (topic: string) => string;
  /** The partitions that are asked about, with the offset before which the group has settled everything. */
  readonly positions: readonly PartitionOffset[];
  /** Ends the reading early, with a result that counts for nothing. */
  readonly signal: AbortSignal;
}

/**
 * The dead letters of a group's partitions that hold their keys: those that were not replayed, and those whose replayed
 * record the group has still before it. One pass over the marks and the dead letters for all partitions; in memory are
 * the marks, and what is answered. One list for each position.
 */
export async function findHeldLetters(query: HeldLettersQuery): Promise<HeldLetter[][]> {
  const { connection, groupId, topicFor, positions, signal } = query;
  const isOver = () => signal.aborted;
  const held = positions.map(() => new Map<number, HeldLetter>());
  for (const deadLetterTopic of new Set(positions.map(({ topic }) => topicFor(topic)))) {
    if (isOver()) break;
    const marks = await ReplayMarks.read(connection, marksTopicOf(deadLetterTopic));
    if (isOver()) break;
    const ranges = (await connection.rangesOf(deadLetterTopic)) ?? [];
    for await (const { record, note } of readLetters(connection, ranges)) {
      if (isOver()) break;
      const { group, origin, lane } = note;
      const at = positions.findIndex(
        ({ topic, partition }) => topic === origin.topic && partition === origin.partition,
      );
      const position = positions[at];
      if (group !== groupId || position === undefined) continue;
      const replayed = marks.of(note);
      if (replayed !== undefined && !isAhead(replayed, position)) continue;
      const { offset, first } = replayNote(record, note, groupId);
      held[at]?.set(offset, { offset, first, key: record.key, ...(lane === undefined ? {} : { lane }) });
    }
  }
  return held.map((letters) => [...letters.values()]);
}

/** Whether the group has yet to settle the replayed record. What went to another topic is out of its hands. */
function isAhead(replayed: PartitionOffset, position: PartitionOffset): boolean {
  return (
    replayed.topic === position.topic &&
    replayed.partition === position.partition &&
    replayed.offset >= position.offset
  );
}

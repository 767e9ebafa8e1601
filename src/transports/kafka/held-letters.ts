import { defined } from '../../base/defined.js';
import { replayNote } from '../../replay.js';
import type { HeldLetter } from '../transport.js';
import type { KafkaConnection, PartitionOffset } from './client.js';
import { marksTopicOf, readLetters, ReplayMarks } from './stored-dead-letters.js';

export interface HeldLettersQuery {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topicFor: (topic: string) => string;
  /** Assigned partitions with the group's committed offsets. */
  readonly positions: readonly PartitionOffset[];
  /** Ends the query early, with an incomplete result. */
  readonly signal: AbortSignal;
}

/**
 * Finds the dead letters of a group that hold their keys: those that were not replayed, and those whose replayed record
 * the group has not settled. Reads the marks and the dead letters once for all partitions, and keeps only the marks and
 * the result in memory. Returns one list for each position.
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
      const replayed = marks.of(note, record);
      if (replayed !== undefined && !isAhead(replayed, position)) continue;
      const { offset, first } = replayNote(record, note, groupId);
      // A copy: the key is a view of the whole fetch, which it would keep in memory.
      const key = record.key && Buffer.from(record.key);
      held[at]?.set(offset, { offset, first, key, ...defined({ lane }) });
    }
  }
  return held.map((letters) => [...letters.values()]);
}

/** Whether the group must still settle the replayed record. One that was replayed to another topic does not count. */
function isAhead(replayed: PartitionOffset, position: PartitionOffset): boolean {
  return (
    replayed.topic === position.topic &&
    replayed.partition === position.partition &&
    replayed.offset >= position.offset
  );
}

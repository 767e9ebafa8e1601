import { BusbarError, quoted } from '../../base/errors.js';
import { type ReplayNote, replayHeaders, replayNote } from '../../replay.js';
import type { KafkaConnection, PartitionOffset } from '../../transports/kafka/client.js';
import {
  letterId,
  readLetter,
  type StoredDeadLetter,
  writeMark,
} from '../../transports/kafka/stored-dead-letters.js';
import { type resolveSelection, type SelectingConnection, selectLetters } from './select.js';

export interface ReplayOptions {
  /** Consumed topic, and the topic of the marks. */
  readonly selection: Pick<ReturnType<typeof resolveSelection>, 'topic' | 'marks'>;
  /** Target topic; undefined replays each record to the topic that it came from. */
  readonly to: string | undefined;
  readonly signal: AbortSignal;
  /** Called after a record was written and marked. */
  readonly replayed?: (letter: StoredDeadLetter, place: PartitionOffset) => void;
}

export interface ReplayPlan {
  /** Dead letters in the order of their replay. */
  readonly letters: readonly PlannedLetter[];
  /** Numbers of selected dead letters that were replayed, and discarded, before. */
  readonly replayedBefore: number;
  readonly discardedBefore: number;
}

/** A dead letter without its record, which is read again for the replay. */
export interface PlannedLetter extends PartitionOffset {
  readonly note: ReplayNote;
  readonly group: string | undefined;
  readonly event: string | undefined;
}

/** Maximum number of dead letters of one replay, which take about 400 bytes of memory each. */
const maxPlanned = 500_000;

/**
 * Plans a replay in the order in which the platform sent the records: by partition and offset in the consumed topic,
 * not by those of the dead letters. A record that failed again after a replay keeps its first offset.
 * @throws BusbarError `unknown-topic`, `capacity-exceeded`
 */
export async function planReplay(
  connection: SelectingConnection,
  selection: ReturnType<typeof resolveSelection>,
): Promise<ReplayPlan> {
  const planned = new Map<string, PlannedLetter>();
  const [replayed, discarded] = [new Set<string>(), new Set<string>()];
  for await (const letter of selectLetters(connection, selection)) {
    const { mark, note, record } = letter;
    const id = letterId(note, record);
    if (mark !== undefined) (mark.reason === 'discarded' ? discarded : replayed).add(id);
    // Uses the first of several copies, because a consumer may have written the others later.
    if (mark !== undefined || planned.has(id)) continue;
    if (planned.size >= maxPlanned) {
      throw new BusbarError(
        'capacity-exceeded',
        `More than ${maxPlanned} dead letters are selected. Select fewer with --group, --only or --since.`,
      );
    }
    planned.set(id, plannedLetter(letter));
  }
  return {
    letters: inReplayOrder(planned.values()),
    replayedBefore: replayed.size,
    discardedBefore: discarded.size,
  };
}

function plannedLetter({ record, note }: StoredDeadLetter): PlannedLetter {
  const { topic, partition, offset } = record;
  const { group, event } = note;
  return { topic, partition, offset, note: replayNote(record, note, group), group, event };
}

export function inReplayOrder(letters: Iterable<PlannedLetter>): PlannedLetter[] {
  return [...letters].sort(
    ({ note: one }, { note: other }) =>
      one.partition - other.partition || one.first - other.first || one.offset - other.offset,
  );
}

/**
 * Replays one record at a time: writes it, then marks it. A process that is killed in between replays that record again
 * next time. Returns the number of replayed records, which is lower than planned if the signal aborts.
 */
export async function runReplay(
  connection: KafkaConnection,
  { letters }: Pick<ReplayPlan, 'letters'>,
  { selection, to, signal, replayed }: ReplayOptions,
): Promise<number> {
  if (letters.length === 0) return 0;
  const target = to ?? selection.topic;
  await checkTarget(connection, target);
  await ensureMarks(connection, selection.marks);
  let count = 0;
  for (const planned of letters) {
    if (signal.aborted) break;
    const letter = await readLetter(connection, planned);
    // Retention has deleted the record meanwhile.
    if (letter === undefined) continue;
    const { record, note } = letter;
    const place = await connection.produce({
      topic: target,
      key: record.key,
      value: record.value,
      headers: replayHeaders(record, replayNote(record, note, to === undefined ? note.group : undefined)),
      // The original partition: the topic's producer may choose partitions by another function.
      ...(to === undefined ? { partition: note.origin.partition } : {}),
    });
    await writeMark(connection, selection.marks, letterId(note, record), place);
    count++;
    replayed?.(letter, place);
  }
  return count;
}

/** Marks dead letters as discarded, so that no replay sends them. Returns their number. */
export async function runDiscard(
  connection: KafkaConnection,
  { letters }: Pick<ReplayPlan, 'letters'>,
  { selection, signal }: Pick<ReplayOptions, 'selection' | 'signal'>,
): Promise<number> {
  if (letters.length === 0) return 0;
  await ensureMarks(connection, selection.marks);
  let count = 0;
  for (const { topic, partition, offset, group, note } of letters) {
    if (signal.aborted) break;
    const mark = { topic, partition, offset, reason: 'discarded' } as const;
    await writeMark(connection, selection.marks, letterId({ group, origin: note }, mark), mark);
    count++;
  }
  return count;
}

/** Checks the topic to replay to. @throws BusbarError `unknown-topic` */
export async function checkTarget(connection: KafkaConnection, target: string): Promise<void> {
  if ((await connection.describeTopic(target)) !== undefined) return;
  throw new BusbarError('unknown-topic', `Kafka has no topic ${quoted(target)} to replay to. Create it.`);
}

/** Checks the topic of marks, which may be missing. Returns whether it exists. @throws BusbarError `invalid-option` */
export async function checkMarks(connection: KafkaConnection, marks: string): Promise<boolean> {
  const topic = await connection.describeTopic(marks);
  if (topic?.cleanupPolicy === undefined || topic.cleanupPolicy === 'compact') return topic !== undefined;
  throw new BusbarError(
    'invalid-option',
    `Topic ${quoted(marks)} has cleanup.policy=${topic.cleanupPolicy}, which would delete marks of replayed records. Set cleanup.policy=compact.`,
  );
}

/** Creates the topic of marks if it is missing. @throws BusbarError `invalid-option`, `not-authorized` */
async function ensureMarks(connection: KafkaConnection, marks: string): Promise<void> {
  if (await checkMarks(connection, marks)) return;
  await connection.createTopic({ name: marks, partitions: 1, cleanupPolicy: 'compact' });
}

import { BusbarError } from '../../base/errors.js';
import { quoted } from '../../base/quoted.js';
import { type ReplayNote, replayHeaders, replayNote } from '../../replay.js';
import type { KafkaConnection, PartitionOffset } from '../../transports/kafka/client.js';
import { letterId, type StoredLetter, writeMark } from '../../transports/kafka/letters.js';
import { readDeadLetter } from '../../dead-letter.js';
import { type resolveSelection, selectLetters } from './select.js';

export interface ReplayOptions {
  readonly selection: ReturnType<typeof resolveSelection>;
  /** Where records go; undefined: where each came from. */
  readonly to: string | undefined;
  readonly signal: AbortSignal;
  /** A record was written and marked. */
  readonly replayed?: (letter: StoredLetter, place: PartitionOffset) => void;
}

export interface ReplayPlan {
  /** In the order in which they are replayed. */
  readonly letters: readonly PlannedLetter[];
  /** Selected, and replayed before. */
  readonly replayedBefore: number;
}

/** What is kept of a letter until its turn; its record is read again then. */
export interface PlannedLetter extends PartitionOffset {
  readonly note: ReplayNote;
  readonly group: string | undefined;
  readonly event: string | undefined;
}

/** How many dead letters one run may hold in mind; about 400 bytes each. */
export const maxPlanned = 500_000;

/**
 * What is to be replayed, in the order in which the platform sent it: partition by partition of the consumed topic,
 * whatever partition and order the dead letters lie in. One that failed again takes the place that it had at first.
 * @throws BusbarError `unknown-topic`, `capacity-exceeded`
 */
export async function planReplay(
  connection: KafkaConnection,
  selection: ReplayOptions['selection'],
): Promise<ReplayPlan> {
  const planned = new Map<string, PlannedLetter>();
  const before = new Set<string>();
  for await (const letter of selectLetters(connection, selection)) {
    const { record, note, isReplayed } = letter;
    const id = letterId(note);
    if (isReplayed) before.add(id);
    // The first of several copies: those behind it may have been written after it.
    if (isReplayed || planned.has(id)) continue;
    if (planned.size >= maxPlanned) {
      throw new BusbarError(
        'capacity-exceeded',
        `More than ${maxPlanned} dead letters are to be replayed. Take fewer at a time, with --group, --only or --since.`,
      );
    }
    const { topic, partition, offset } = record;
    planned.set(id, {
      ...{ topic, partition, offset },
      note: replayNote(record, note, note.group),
      group: note.group,
      event: note.event,
    });
  }
  const letters = [...planned.values()].sort(
    ({ note: one }, { note: other }) =>
      one.partition - other.partition || one.first - other.first || one.offset - other.offset,
  );
  return { letters, replayedBefore: before.size };
}

/**
 * Replays one record at a time: it is written, then marked. Whoever kills this in between makes the one record come
 * twice. Answers how many were replayed; fewer than planned when the signal was aborted.
 */
export async function carryOutReplay(
  connection: KafkaConnection,
  { letters }: ReplayPlan,
  { selection, to, signal, replayed }: ReplayOptions,
): Promise<number> {
  if (letters.length === 0) return 0;
  const target = to ?? selection.topic;
  if ((await connection.describeTopic(target)) === undefined) {
    throw new BusbarError('unknown-topic', `Kafka has no topic ${quoted(target)} to replay to. Create it.`);
  }
  await ensureMarks(connection, selection.marks);
  let count = 0;
  for (const planned of letters) {
    if (signal.aborted) break;
    const letter = await readAgain(connection, planned);
    // Retention was faster.
    if (letter === undefined) continue;
    const { record, note } = letter;
    const place = await connection.produce({
      topic: target,
      key: record.key,
      value: record.value,
      headers: replayHeaders(record, replayNote(record, note, to === undefined ? note.group : undefined)),
      // Whoever produced the topic chose this partition for the key, perhaps in another way than we would.
      ...(to === undefined ? { partition: note.origin.partition } : {}),
    });
    await writeMark(connection, selection.marks, note, place);
    count++;
    replayed?.(letter, place);
  }
  return count;
}

/** @throws BusbarError `invalid-option` where marks would be forgotten, `not-authorized` */
async function ensureMarks(connection: KafkaConnection, marks: string): Promise<void> {
  const found = await connection.describeTopic(marks);
  if (found === undefined) {
    await connection.createTopic({ name: marks, partitions: 1, cleanupPolicy: 'compact' });
    return;
  }
  if (found.cleanupPolicy === undefined || found.cleanupPolicy === 'compact') return;
  throw new BusbarError(
    'invalid-option',
    `Topic ${quoted(marks)} has cleanup.policy=${found.cleanupPolicy}, which would forget what was replayed. Set cleanup.policy=compact.`,
  );
}

async function readAgain(
  connection: KafkaConnection,
  { topic, partition, offset }: PlannedLetter,
): Promise<StoredLetter | undefined> {
  for await (const record of connection.read({ topic, partition, first: offset, end: offset + 1 })) {
    const note = readDeadLetter(record.headers);
    if (note !== undefined) return { record, note };
  }
  return undefined;
}

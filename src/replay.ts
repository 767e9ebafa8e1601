import { headerReader } from './base/header-reader.js';
import { defined } from './base/defined.js';
import { type DeadLetterNote, noteHeaders, originalHeaders } from './dead-letter.js';
import type { ConsumerRecord, Partition, RecordHeaders } from './transports/transport.js';

/** The headers of a replayed record, decoded: its group and the dead letter that it repeats. */
export interface ReplayNote extends Partition {
  /** Only group that handles the record; absent when it was replayed to another topic than its own. */
  readonly group?: string;
  /** Offset in `topic` and `partition` of the dead-lettered record, which may itself be a replayed one. */
  readonly offset: number;
  /** Offset of the record that the platform sent. Orders the records of its key, however often it is replayed. */
  readonly first: number;
  /** Number of the replay; 1 for the first. */
  readonly count: number;
}

/** Prefix of the headers that a replay adds to those of the record. */
export const replayPrefix = 'busbar-replay-';

/** Returns the replay note of a dead letter. Omit `group` to replay to another topic than the one it came from. */
export function replayNote(
  letter: ConsumerRecord,
  { origin }: DeadLetterNote,
  group: string | undefined,
): ReplayNote {
  const { topic, partition, offset } = origin;
  const earlier = readReplay(letter.headers);
  const isAgain = earlier?.topic === topic && earlier.partition === partition;
  const first = isAgain ? earlier.first : offset;
  return defined({ group, topic, partition, offset, first, count: (earlier?.count ?? 0) + 1 });
}

/** Returns the headers of a replayed record: those of the dead letter's record, then those of Busbar. */
export function replayHeaders(letter: ConsumerRecord, note: ReplayNote): [name: string, value: Uint8Array][] {
  const own = originalHeaders(letter.headers).filter(([name]) => !name.startsWith(replayPrefix));
  const { group, topic, partition, offset, first, count } = note;
  return [...own, ...noteHeaders(replayPrefix, { group, topic, partition, offset, first, count })];
}

/** Reads the headers of {@link replayHeaders}. Returns undefined when the record was not replayed. */
export function readReplay(headers: RecordHeaders): ReplayNote | undefined {
  const read = headerReader(headers, replayPrefix);
  const topic = read.text('topic');
  // Most records were not replayed: one look-up for these.
  if (topic === undefined) return undefined;
  const [partition, offset] = [read.count('partition'), read.count('offset')];
  const [first, count] = [read.count('first'), read.count('count')];
  if (partition === undefined || offset === undefined || first === undefined || count === undefined)
    return undefined;
  return defined({ group: read.text('group'), topic, partition, offset, first, count });
}

/** Whether the record was replayed for another group. Called for every record: one look-up. */
export function isForAnother(group: string, { headers }: ConsumerRecord): boolean {
  const target = headers.get(groupHeader);
  return target !== undefined && Buffer.from(target).toString() !== group;
}

/**
 * Returns the offset that orders records of this key: the record's own, or that of the first record that a replayed one
 * of this partition repeats.
 */
export function firstOffsetOf(record: ConsumerRecord): number {
  return replayedHere(record)?.first ?? record.offset;
}

/** Returns the note of a record that repeats one of its own partition. One from elsewhere counts as a new record. */
export function replayedHere({ headers, topic, partition }: ConsumerRecord): ReplayNote | undefined {
  const note = readReplay(headers);
  return note?.topic === topic && note.partition === partition ? note : undefined;
}

const groupHeader = `${replayPrefix}group`;

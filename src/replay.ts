import { type DeadLetterNote, originalHeaders } from './dead-letter.js';
import type { ConsumerRecord, Partition, RecordHeaders } from './transports/transport.js';

/** What the headers of a replayed record tell: for whom it is, and which dead letter it was. */
export interface ReplayNote extends Partition {
  /** The only group that is to handle it; nothing where it was replayed to another topic than its own. */
  readonly group?: string;
  /** Offset in `topic` and `partition` of the record that was set aside; itself a replayed one from the second time on. */
  readonly offset: number;
  /** Offset of the record that the platform sent: what the order of its key goes by, however often it is replayed. */
  readonly first: number;
  /** 1 for the first replay. */
  readonly count: number;
}

/** Every header that a replayed record has beside its own begins so. */
export const replayPrefix = 'busbar-replay-';

/** How a dead letter is replayed. `group` is left out when it goes to another topic than the one it came from. */
export function replayNote(
  letter: ConsumerRecord,
  { origin }: DeadLetterNote,
  group: string | undefined,
): ReplayNote {
  const { topic, partition, offset } = origin;
  const earlier = readReplay(letter.headers);
  const isAgain = earlier?.topic === topic && earlier.partition === partition;
  return {
    ...(group === undefined ? {} : { group }),
    topic,
    partition,
    offset,
    first: isAgain ? earlier.first : offset,
    count: (earlier?.count ?? 0) + 1,
  };
}

/** The headers of a replayed record: those of the dead letter's record, then ours. */
export function replayHeaders(letter: ConsumerRecord, note: ReplayNote): [name: string, value: Uint8Array][] {
  const own = originalHeaders(letter.headers).filter(([name]) => !name.startsWith(replayPrefix));
  const { group, topic, partition, offset, first, count } = note;
  const ours = Object.entries({ group, topic, partition, offset, first, count })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, Uint8Array] => [replayPrefix + name, Buffer.from(String(value))]);
  return [...own, ...ours];
}

/** Reads what {@link replayHeaders} wrote; nothing when the record was not replayed. */
export function readReplay(headers: RecordHeaders): ReplayNote | undefined {
  const text = (name: string) => {
    const value = headers.get(replayPrefix + name);
    return value === undefined ? undefined : Buffer.from(value).toString();
  };
  const topic = text('topic');
  if (topic === undefined) return undefined;
  const [partition, offset, first, count] = ['partition', 'offset', 'first', 'count'].map((name) => {
    const digits = text(name);
    return digits !== undefined && /^\d{1,16}$/.test(digits) ? Number(digits) : undefined;
  });
  if (partition === undefined || offset === undefined || first === undefined || count === undefined)
    return undefined;
  const group = text('group');
  return { ...(group === undefined ? {} : { group }), topic, partition, offset, first, count };
}

/** Whether the record was replayed for another group than this. Asked of every record: one look-up. */
export function isForAnother(group: string, { headers }: ConsumerRecord): boolean {
  const wanted = headers.get(groupHeader);
  return wanted !== undefined && Buffer.from(wanted).toString() !== group;
}

/**
 * The offset that the order of the record's key goes by: its own, or that of the first record that a replayed one of
 * this partition repeats.
 */
export function firstOffsetOf(record: ConsumerRecord): number {
  return replayedHere(record)?.first ?? record.offset;
}

/** The note of a record that repeats one of its own partition; what came from elsewhere is a record like any other. */
export function replayedHere({ headers, topic, partition }: ConsumerRecord): ReplayNote | undefined {
  const note = readReplay(headers);
  return note?.topic === topic && note.partition === partition ? note : undefined;
}

const groupHeader = `${replayPrefix}group`;

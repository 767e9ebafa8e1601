import { oneAtATime } from 'busbar/base';
import { createHash } from 'node:crypto';
import {
  type DeadLetterNote,
  deadLetterPrefix,
  letterId,
  marksTopicOf,
  readDeadLetter,
  readMark,
  readReplay,
  replayPrefix,
} from 'busbar/internal/dead-letters';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import type { FetchedRecord } from 'busbar/internal/kafka-protocol';
import type { RecordPosition } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';
import { recordsAt, recordsUpTo } from './read-log.js';

/** Dead letters of one group, event and handler that failed in the same way. */
export interface Cause {
  readonly id: string;
  readonly group: string | undefined;
  readonly event: string | undefined;
  readonly handler: string | undefined;
  readonly code: string;
  /** Class of the error, and the first frame of the consumer's code. */
  readonly error: string | undefined;
  readonly at: string | undefined;
}

export type LetterState = 'pending' | 'replayed' | 'failed-again' | 'discarded';

/** The last dead letter of a record. The rest of it is read when it is shown. */
export interface IndexedLetter extends RecordPosition {
  /** Order of arrival. */
  number: number;
  /** Wall time at which the record was dead-lettered. */
  readonly timestamp: number;
  readonly origin: RecordPosition;
  /** Offset of the record that the platform sent. */
  readonly first: number;
  /** Number of replays of the record. */
  readonly replays: number;
  readonly cause: Cause;
  /** Id in the topic of marks. */
  readonly mark: string;
  state: LetterState;
}

/** The rest of a dead letter. */
export interface LetterDetails {
  readonly note: DeadLetterNote;
  readonly eventId: string | undefined;
}

/** Present offsets of a partition. */
interface PartitionRange extends RecordPosition {
  readonly id: string;
  readonly end: number;
}

/** Headers of a dead letter that the index reads: those that replayed records have, its origin, and those of its cause. */
const names = [
  `${replayPrefix}topic`,
  ...['topic', 'partition', 'offset', 'group', 'event', 'handler', 'code', 'error', 'error-at'].map(
    (name) => deadLetterPrefix + name,
  ),
];

/** The dead letters of the embedded broker, one for each record. Each look reads only what was written since the last. */
export class DeadLetterIndex {
  readonly #broker: BrokerSink['broker'];
  /** Letters by group and first offset of the record, in order of arrival. */
  readonly #letters = new Map<string, IndexedLetter>();
  readonly #causes = new Map<string, Cause>();
  /** States of marked letters, by the id of the mark. */
  readonly #marks = new Map<string, LetterState>();
  /** The offsets of each partition that were read. */
  readonly #read = new Map<string, { readonly offset: number; readonly end: number }>();
  #last = 0;
  readonly #inTurn = oneAtATime();

  constructor({ broker }: BrokerSink) {
    this.#broker = broker;
  }

  /** Returns the dead letters of all topics, the oldest first. */
  async letters(): Promise<readonly IndexedLetter[]> {
    await this.#inTurn(() => this.#follow());
    return [...this.#letters.values()];
  }

  /** Returns the whole notes of dead letters, with the ids of their events. Omits deleted ones. */
  async details(letters: readonly IndexedLetter[]): Promise<ReadonlyMap<IndexedLetter, LetterDetails>> {
    const found = new Map<IndexedLetter, LetterDetails>();
    let batch: readonly FetchedRecord[] = [];
    for (const letter of letters) {
      const { topic, partition, offset } = letter;
      const isHere = (each: FetchedRecord) =>
        each.offset === offset && each.partition === partition && each.topic === topic;
      if (!batch.some(isHere)) batch = (await recordsAt(letter, this.#broker)).records;
      const record = batch.find(isHere);
      const note = record && readDeadLetter(record.headers);
      if (note !== undefined)
        found.set(letter, { note, eventId: record?.headers.get('event-id')?.toString() });
    }
    return found;
  }

  async #follow(): Promise<void> {
    const ranges = this.#ranges();
    this.#prune(ranges);
    const unread = ranges.filter(
      ({ id, offset, end }) => end > Math.max(offset, this.#read.get(id)?.end ?? 0),
    );
    const found: IndexedLetter[] = [];
    const marked = this.#marks.size;
    for (const { id, offset, end, ...range } of unread) {
      const from = Math.max(offset, this.#read.get(id)?.end ?? 0);
      for await (const records of recordsUpTo(end, { ...range, offset: from }, this.#broker)) {
        for (const record of records) {
          const letter = this.#letterIn(record);
          if (letter !== undefined) found.push(letter);
          else this.#addMark(record);
        }
      }
    }
    for (const { id, offset, end } of ranges) this.#read.set(id, { offset, end });
    for (const letter of found.sort((one, other) => one.timestamp - other.timestamp)) this.#add(letter);
    if (unread.length === 0 || this.#marks.size === 0) return;
    if (found.length === 0 && this.#marks.size === marked) return;
    for (const letter of this.#letters.values()) letter.state = this.#marks.get(letter.mark) ?? letter.state;
  }

  /** Drops the letters that the broker has dropped, and their causes and marks. */
  #prune(ranges: readonly PartitionRange[]): void {
    const now = new Map(ranges.map((range) => [range.id, range]));
    const isChanged = (id: string, { offset, end }: { offset: number; end: number }) => {
      const range = now.get(id);
      return range === undefined || range.offset !== offset || range.end < end;
    };
    if (![...this.#read].some(([id, read]) => isChanged(id, read))) return;
    for (const [id, { end }] of this.#read) if ((now.get(id)?.end ?? 0) < end) this.#read.delete(id);
    for (const [key, { topic, partition, offset }] of this.#letters) {
      const id = `${topic}/${partition}`;
      const isGone = offset < (now.get(id)?.offset ?? Infinity) || offset >= (this.#read.get(id)?.end ?? 0);
      if (isGone) this.#letters.delete(key);
    }
    const left = [...this.#letters.values()];
    const causes = new Set(left.map(({ cause }) => cause));
    for (const [key, cause] of this.#causes) if (!causes.has(cause)) this.#causes.delete(key);
    const marks = new Set(left.map(({ mark }) => mark));
    for (const id of this.#marks.keys()) if (!marks.has(id)) this.#marks.delete(id);
  }

  #letterIn({ topic, partition, offset, timestamp, headers }: FetchedRecord): IndexedLetter | undefined {
    const [replayed, from = '', inPartition, at, ...parts] = headers.texts(names);
    const origin = { topic: from, partition: Number(inPartition), offset: Number(at) };
    const isPlaced = Number.isInteger(origin.partition) && Number.isInteger(origin.offset);
    const cause = this.#cause(parts);
    if (cause === undefined || !isPlaced || deadLetterTopicOf(from) !== topic) return undefined;
    const again = replayed === undefined ? undefined : readReplay(headers);
    const isAgain = again?.topic === from && again.partition === origin.partition;
    const replays = again?.count ?? 0;
    return {
      number: 0,
      topic,
      partition,
      offset,
      timestamp,
      origin,
      first: isAgain ? again.first : origin.offset,
      replays,
      cause,
      mark: letterId({ group: cause.group, origin }, { topic, partition, offset }),
      state: replays > 0 ? 'failed-again' : 'pending',
    };
  }

  #cause(parts: readonly (string | undefined)[]): Cause | undefined {
    const key = parts.join('\n');
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    const [group, event, handler, code, error, at] = parts;
    if (code === undefined) return undefined;
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 12);
    const cause = { id, group, event, handler, code, error, at };
    this.#causes.set(key, cause);
    return cause;
  }

  #addMark(record: FetchedRecord): void {
    const found = readMark(record);
    if (found !== undefined) this.#marks.set(found.id, found.mark.reason ?? 'replayed');
  }

  #add(letter: IndexedLetter): void {
    const { cause, origin, first } = letter;
    const key =
      first === origin.offset
        ? letter.mark
        : letterId({ ...cause, origin: { ...origin, offset: first } }, letter);
    const known = this.#letters.get(key);
    // A consumer may have written a letter twice, and partitions are read one after the other.
    if (known !== undefined && known.replays >= letter.replays) return;
    if (known !== undefined) this.#letters.delete(key);
    letter.number = ++this.#last;
    this.#letters.set(key, letter);
  }

  /** Returns the present offsets of the topics for dead letters and for their marks. */
  #ranges(): PartitionRange[] {
    const { topics } = this.#broker.inspect();
    const letters = topics.map(({ name }) => deadLetterTopicOf(name));
    const names = new Set([...letters, ...letters.map(marksTopicOf)]);
    return topics
      .filter(({ name }) => names.has(name))
      .flatMap(({ name: topic, partitions }) =>
        partitions.map(({ partition, startOffset: offset, endOffset: end }) => {
          return { id: `${topic}/${partition}`, topic, partition, offset, end };
        }),
      );
  }
}

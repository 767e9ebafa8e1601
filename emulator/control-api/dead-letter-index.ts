import {
  type DeadLetterNote,
  letterId,
  marksTopicOf,
  type PlannedLetter,
  plannedLetter,
  readDeadLetter,
  readMark,
  withConnection,
} from 'busbar/internal/dead-letters';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import type { BrokerSink } from '../sinks/broker.js';

/** The last dead letter of a record. */
export interface IndexedLetter extends PlannedLetter {
  /** Order of arrival. */
  readonly number: number;
  /** Wall time at which the record was dead-lettered. */
  readonly timestamp: number;
  readonly eventId: string | undefined;
  readonly cause: DeadLetterNote;
  /** Id in the topic of marks. */
  readonly mark: string;
  /** `failed-again`: the record was replayed, and has failed again. */
  state: 'pending' | 'replayed' | 'failed-again';
}

/** Present offsets of a partition. */
interface PartitionRange {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly first: number;
  readonly end: number;
}

/** The dead letters of the embedded broker, one for each record. Each look reads only what was written since the last. */
export class DeadLetterIndex {
  readonly #sink: BrokerSink;
  /** Letters by group and first offset of the record, in order of arrival. */
  readonly #letters = new Map<string, IndexedLetter>();
  /** Ids of replayed letters. */
  readonly #marks = new Set<string>();
  /** Offsets up to which partitions were read. */
  readonly #ends = new Map<string, number>();
  #last = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(sink: BrokerSink) {
    this.#sink = sink;
  }

  /** Returns the dead letters of all topics, the oldest first. */
  async letters(): Promise<readonly IndexedLetter[]> {
    const reading = this.#reading.then(() => this.#follow());
    this.#reading = reading.catch(() => undefined);
    await reading;
    return [...this.#letters.values()];
  }

  async #follow(): Promise<void> {
    const ranges = this.#ranges();
    const starts = new Map(ranges.map(({ id, first }) => [id, first]));
    for (const { id, end } of ranges) if (end < this.#endOf(id)) this.#ends.delete(id);
    for (const [key, { topic, partition, offset }] of this.#letters) {
      const id = `${topic}/${partition}`;
      const isGone = offset < (starts.get(id) ?? Infinity) || offset >= this.#endOf(id);
      if (isGone) this.#letters.delete(key);
    }
    const unread = ranges.filter(({ id, first, end }) => end > Math.max(first, this.#endOf(id)));
    if (unread.length > 0) await this.#read(unread);
  }

  async #read(ranges: readonly PartitionRange[]): Promise<void> {
    const found: Omit<IndexedLetter, 'number'>[] = [];
    const options = { brokers: [this.#sink.bootstrapServers], clientId: 'busbar-emulator' };
    await withConnection(options, async (connection) => {
      for (const { id, first, ...range } of ranges) {
        for await (const record of connection.read({ ...range, first: Math.max(first, this.#endOf(id)) })) {
          const mark = readMark(record);
          if (mark !== undefined) this.#marks.add(mark.id);
          const cause = readDeadLetter(record.headers);
          if (cause === undefined || deadLetterTopicOf(cause.origin.topic) !== record.topic) continue;
          const eventId = record.headers.get('event-id');
          const planned = plannedLetter({ record, note: cause });
          found.push({
            ...planned,
            state: planned.note.count > 1 ? 'failed-again' : 'pending',
            mark: letterId(cause),
            timestamp: record.timestamp,
            eventId: eventId && Buffer.from(eventId).toString(),
            cause,
          });
        }
      }
    });
    for (const { id, end } of ranges) this.#ends.set(id, end);
    for (const letter of found.sort((one, other) => one.timestamp - other.timestamp)) this.#add(letter);
    for (const letter of this.#letters.values()) if (this.#marks.has(letter.mark)) letter.state = 'replayed';
  }

  #add(letter: Omit<IndexedLetter, 'number'>): void {
    const { note, cause } = letter;
    const key = JSON.stringify([cause.group, note.topic, note.partition, note.first]);
    const known = this.#letters.get(key);
    // A consumer may have written a letter twice, and partitions are read one after the other.
    if (known !== undefined && known.note.count >= note.count) return;
    this.#letters.delete(key);
    this.#letters.set(key, { ...letter, number: ++this.#last });
  }

  /** Returns the present offsets of the topics for dead letters and for marks of replayed ones. */
  #ranges(): PartitionRange[] {
    const { topics } = this.#sink.broker.inspect();
    const letters = topics.map(({ name }) => deadLetterTopicOf(name));
    const names = new Set([...letters, ...letters.map(marksTopicOf)]);
    return topics
      .filter(({ name }) => names.has(name))
      .flatMap(({ name: topic, partitions }) =>
        partitions.map(({ partition, startOffset: first, endOffset: end }) => {
          return { id: `${topic}/${partition}`, topic, partition, first, end };
        }),
      );
  }

  #endOf(id: string): number {
    return this.#ends.get(id) ?? 0;
  }
}

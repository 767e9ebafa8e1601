import { envelopeHeaders } from 'busbar';
import { Newest, oneAtATime } from 'busbar/base';
import type { FetchedRecord } from 'busbar/internal/kafka-protocol';
import type { RecordPosition } from '../broker/index.js';
import { eventTopic } from '../run/sink.js';
import type { BrokerSink } from '../sinks/broker.js';
import { recordsUpTo } from '../control-api/read-log.js';

/** Number of events of each partition that are looked up: a dashboard keeps no more in all. */
const maxEvents = 20_000;

/** The offsets of the newest events. Each look reads only what was written since the last. */
export class EventOffsets {
  readonly #broker: BrokerSink['broker'];
  readonly #idOf: (record: FetchedRecord) => string | undefined;
  readonly #offsets = new Newest<string, RecordPosition>(maxEvents);
  /** The offset up to which each partition was read. */
  readonly #read = new Map<number, number>();
  readonly #inTurn = oneAtATime();

  /** @param decodedId Returns the id of an event whose headers do not name it. */
  constructor({ broker }: BrokerSink, decodedId: (record: FetchedRecord) => string | undefined) {
    this.#broker = broker;
    this.#idOf = (record) => record.headers.get(envelopeHeaders.id)?.toString() ?? decodedId(record);
  }

  /** Returns the offsets of known events by their ids. */
  async all(): Promise<Pick<Newest<string, RecordPosition>, 'get'>> {
    await this.#inTurn(() => this.#follow());
    return this.#offsets;
  }

  async #follow(): Promise<void> {
    const { topics } = this.#broker.inspect();
    const { partitions = [] } = topics.find(({ name }) => name === eventTopic) ?? {};
    for (const { partition, startOffset, endOffset } of partitions) {
      const offset = Math.max(startOffset, endOffset - maxEvents, this.#read.get(partition) ?? 0);
      for await (const records of recordsUpTo(
        endOffset,
        { topic: eventTopic, partition, offset },
        this.#broker,
      )) {
        for (const record of records) {
          const id = this.#idOf(record);
          if (id !== undefined)
            this.#offsets.set(id, { topic: eventTopic, partition, offset: record.offset });
        }
      }
      this.#read.set(partition, endOffset);
    }
  }
}

import { connect } from 'node:net';
import kafkajs from 'kafkajs';
import { batchLayout } from '../../../../src/kafka-protocol/record-batch.js';
import { crc32c } from '../../../../src/kafka-protocol/crc32c.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import type { KafkaClient } from '../../../../src/transports/kafka/client.js';

/** Key of a record whose batch `clientChanging` passes to its function: the only one of the batch. */
export const marked = 'marked';

/** A client whose fetches return changed batches. */
export function clientChanging(
  { bootstrapServers }: { readonly bootstrapServers: string },
  change: (batch: Buffer) => void,
): KafkaClient {
  const kafka = new kafkajs.Kafka({
    brokers: [bootstrapServers],
    logLevel: kafkajs.logLevel.NOTHING,
    socketFactory({ host, port, onConnect }) {
      const socket = connect(port, host, onConnect);
      const on = socket.on.bind(socket) as (
        event: string,
        listener: (chunk: Buffer) => void,
      ) => typeof socket;
      const changing: typeof on = (event, listener) => {
        if (event !== 'data') return on(event, listener);
        return on(event, (chunk) => {
          const key = chunk.indexOf(marked);
          // Before the key, the header of the batch and five bytes of the record.
          if (key >= 0) change(batchAt(chunk, key - batchLayout.records - 5));
          listener(chunk);
        });
      };
      return Object.assign(socket, { on: changing });
    },
  });
  return kafkajsClient(kafka);
}

/** Makes the checksum of a changed batch right again. */
export function repair(batch: Buffer): void {
  batch.writeUInt32BE(crc32c(batch, batchLayout.attributes), batchLayout.crc);
}

function batchAt(chunk: Buffer, start: number): Buffer {
  const length = chunk.readInt32BE(start + batchLayout.batchLength);
  return chunk.subarray(start, start + batchLayout.partitionLeaderEpoch + length);
}

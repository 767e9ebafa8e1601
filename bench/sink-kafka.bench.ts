import kafkajs from 'kafkajs';
import { type OutgoingEvent, kafkaSink } from 'busbar-emulator';
import { forkBroker } from './broker/fork-broker.js';
import { median, type Measured } from './measure.js';

// A CommonJS module whose exports Node does not find by name.
const { CompressionTypes, Kafka, logLevel, Partitioners } = kafkajs;

const batch = 1000;
const batches = 4;
/** Number of rounds, two of them to warm up. More would exceed the memory of the embedded broker. */
const rounds = 31;

/**
 * Measures the throughput of the Kafka sink for prepared events, relative to a bare kafkajs producer with the same options
 * and messages. The embedded broker runs in a child process.
 */
export async function* measure(): AsyncGenerator<Measured> {
  const broker = await forkBroker();
  try {
    for (const compression of ['none', 'gzip'] as const) yield* compare(broker.bootstrapServers, compression);
  } finally {
    await broker.stop();
  }
}

async function* compare(brokers: string, compression: 'none' | 'gzip'): AsyncGenerator<Measured> {
  const emissions = Array.from({ length: batch * batches }, (_, n) => emission(n));
  const parts = Array.from({ length: batches }, (_, n) => emissions.slice(n * batch, (n + 1) * batch));
  const sink = await kafkaSink({ brokers: [brokers], topic: 'bench', compression });
  const producer = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  await producer.connect();
  const codec = compression === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None;
  const raw = async () => {
    for (const part of parts) {
      const messages = part.map(({ key, bytes, headers }) => ({
        key,
        value: bytes,
        headers: { ...headers },
      }));
      await producer.sendBatch({
        acks: -1,
        compression: codec,
        topicMessages: [{ topic: 'bench', messages }],
      });
    }
  };
  const ours = async () => {
    for (const part of parts) await sink.write(part);
  };

  const ratios: number[] = [];
  for (let round = -2; round < rounds; round++) {
    // Alternately, each first equally often.
    const first = round % 2 === 0;
    const before = first ? await timeOf(raw) : 0;
    const time = await timeOf(ours);
    const floor = first ? before : await timeOf(raw);
    if (round < 0) continue;
    ratios.push(floor / time);
  }
  await producer.disconnect();
  await sink.close();
  const name = compression === 'none' ? 'uncompressed' : compression;
  yield { case: `of raw sendBatch(1000), ${name}`, ratio: median(ratios), target: 0.95, atLeast: true };
}

function emission(n: number): OutgoingEvent {
  const id = `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const payload = { account_number: `A-${String(n % 997).padStart(8, '0')}`, text: 'x'.repeat(350) };
  const [type, version] = ['billing.ledger.entry_posted', 'v2'];
  const envelope = { id, event_type: type, version, occurred_at: '2026-03-02T09:00:00.000Z', payload };
  return {
    envelope,
    bytes: Buffer.from(JSON.stringify(envelope)),
    headers: { 'event-type': type, 'event-version': version, 'event-id': id, 'occurrence-id': id },
    key: payload.account_number,
    at: Date.UTC(2026, 2, 2, 9),
    cell: 1,
    instance: 'billing-cycle#1',
    step: type,
    faults: [],
  };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

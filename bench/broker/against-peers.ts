import kafkajs from 'kafkajs';
import { start, stop } from '../../test/interop/command.js';
import { startKafka } from '../../test/interop/kafka/start-kafka.js';
import { providePackages, Unavailable } from '../../test/interop/provide.js';
import { kafkaVersions } from '../../test/interop/versions.js';
import { type Measured, median } from '../measure.js';
import { produceEncoded } from './encoded.js';
import { forkBroker } from './fork-broker.js';
import { consume, messages, produce } from './traffic.js';

const { Kafka, logLevel } = kafkajs;
const rounds = 3;

/** A broker in a child process. */
interface Peer {
  readonly bootstrapServers: string;
  stop(): Promise<void>;
}

/** Measures the embedded broker relative to others: with encoded requests alone, and with kafkajs. */
export async function* againstPeers(): AsyncGenerator<Measured> {
  const peers = {
    'Apache Kafka': () => startKafka(kafkaVersions.current),
    "librdkafka's mock": startMock,
  };
  for (const [name, startPeer] of Object.entries(peers)) {
    let peer: Peer;
    try {
      peer = await startPeer();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      process.stderr.write(`NOT RUN: bench broker against ${name}: ${error.message}\n`);
      continue;
    }
    const ours = await forkBroker();
    const [theirFigures, ourFigures]: Figures[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      theirFigures?.push(await measureOne(peer, `round-${round}`));
      ourFigures?.push(await measureOne(ours, `round-${round}`));
    }
    await Promise.all([peer.stop(), ours.stop()]);
    const times = (figure: keyof Figures) =>
      median(
        (ourFigures ?? []).map(
          (each, round) => each[figure] / (theirFigures?.[round]?.[figure] ?? Number.NaN),
        ),
      );
    const unit = 'x';
    const received = theirFigures?.[0]?.received ?? 0;
    const keepsAll = received === messages;
    // The mock checks no checksums, and drops what exceeds 5 MiB a partition.
    const target = keepsAll ? { target: 1 } : {};
    yield { case: `encoded produce, times ${name}`, ratio: times('encoded'), ...target, unit, atLeast: true };
    yield {
      case: `kafkajs produce, times ${name}`,
      ratio: times('produced'),
      target: 1,
      unit,
      atLeast: true,
    };
    yield { case: `consume, times ${name}`, ratio: times('perSecond'), target: 1, unit, atLeast: true };
    yield { case: `join takes, times ${name}`, ratio: times('joinMs'), target: 1, unit };
    yield { case: `received of ${messages}: ${name}`, ratio: received, unit: '' };
  }
}

interface Figures {
  readonly encoded: number;
  readonly produced: number;
  readonly perSecond: number;
  readonly joinMs: number;
  readonly received: number;
}

async function measureOne({ bootstrapServers }: Peer, topic: string): Promise<Figures> {
  const kafka = new Kafka({
    brokers: [bootstrapServers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 20 },
  });
  await createTopic(kafka, topic);
  await createTopic(kafka, `${topic}-encoded`);
  const encoded = await produceEncoded(bootstrapServers, `${topic}-encoded`);
  const produced = await produce(kafka, topic);
  return { encoded, produced, ...(await consume(kafka, topic)) };
}

async function createTopic(kafka: kafkajs.Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  // librdkafka's mock has no admin calls. It creates a topic at the first request.
  await admin
    .createTopics({ topics: [{ topic, numPartitions: 4 }] })
    .catch(() => admin.fetchTopicMetadata({ topics: [topic] }));
  await admin.disconnect();
}

const mockProgram = `
from confluent_kafka import Producer
import time
producer = Producer({"test.mock.num.brokers": 1})
brokers = producer.list_topics(timeout=10).brokers.values()
print("BROKERS=" + ",".join(f"{broker.host}:{broker.port}" for broker in brokers), flush=True)
time.sleep(300)
`;

/** Starts librdkafka's mock cluster, which runs inside a client, with Debian's Python. */
async function startMock(): Promise<Peer> {
  await providePackages(['python3-confluent-kafka']);
  const child = start('/usr/bin/python3', ['-c', mockProgram]);
  let output = '';
  for await (const text of child.stdout ?? []) {
    output += String(text);
    const found = /BROKERS=(\S+)/.exec(output)?.[1];
    if (found !== undefined) return { bootstrapServers: found, stop: () => stop(child) };
  }
  throw new Unavailable('librdkafka did not print the address of its mock cluster');
}

import kafkajs from 'kafkajs';
import { type Kafka, startKafka } from '../kafka/start-kafka.js';
import { kafkaVersions } from '../versions.js';
import type { FaultyBroker } from './fault-run.js';

/** A node of Apache Kafka of its own. @throws {Unavailable} */
export async function realKafka(): Promise<FaultyBroker & { stop(): Promise<void> }> {
  const kafka = await startKafka(kafkaVersions.current, ['group.min.session.timeout.ms=1000']);
  const [host = '', port = ''] = kafka.bootstrapServers.split(':');
  return {
    host,
    port: Number(port),
    restart: () => restart(kafka),
    takeDeadLetters: (isTaking) => setMinReplicas(kafka, 'faults.dead-letter', isTaking ? 1 : 2),
    stop: () => kafka.stop(),
  };
}

async function restart(kafka: Kafka): Promise<void> {
  if (kafka.restart === undefined) throw new Error('This Kafka was not started here.');
  await kafka.restart();
}

/** There is one replica, so that nothing is written where two are wanted. */
async function setMinReplicas(kafka: Kafka, topic: string, count: number): Promise<void> {
  const admin = new kafkajs.Kafka({
    brokers: [kafka.bootstrapServers],
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin();
  await admin.connect();
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: topic,
        configEntries: [{ name: 'min.insync.replicas', value: String(count) }],
      },
    ],
  });
  await admin.disconnect();
}

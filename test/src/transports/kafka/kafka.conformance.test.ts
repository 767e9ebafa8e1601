import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { describeTransport } from '../conformance.js';
import { kafkaHarness } from './kafka-source.js';

/** A real Kafka where `npm run test:kafka` has one, else an embedded broker for each test. */
const real = process.env['KAFKA_BROKERS'];

describeTransport(
  `kafka, on ${real === undefined ? 'the embedded broker' : 'Apache Kafka'}`,
  kafkaHarness(async () => real ?? (await brokerWithEvents()).bootstrapServers),
);

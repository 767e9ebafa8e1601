import { connectionFlags } from '../../src/cli/connection-flags.js';
import { httpOptions } from './http-options.js';

/** How fast a run goes and where to, as yargs takes it: what playing and replaying have in common. */
export const sendOptions = {
  instant: { type: 'boolean', conflicts: 'speed', describe: 'As fast as possible' },
  speed: {
    type: 'number',
    requiresArg: true,
    describe: 'Virtual time runs X times as fast as the clock; without it, every gap is shown in at most 5 s',
  },
  rate: {
    type: 'string',
    requiresArg: true,
    conflicts: ['instant', 'speed'],
    describe: 'Events a second, as 500/s, whatever virtual time passes between them',
  },
  step: { type: 'boolean', describe: 'Every line read from standard input lets one thing happen' },
  to: {
    type: 'string',
    array: true,
    requiresArg: true,
    choices: ['stdout', 'file', 'broker', 'websocket', 'webhook', 'kafka'],
    describe: "Where events go instead of to the emulator's own servers",
  },
  file: { type: 'string', requiresArg: true, describe: 'The file for --to file' },
  'file-max-size': {
    type: 'string',
    requiresArg: true,
    describe: 'Begin the next file (FILE.2, ...) before one exceeds so much, as 100MB',
  },
  'file-max-events': {
    type: 'number',
    requiresArg: true,
    describe: 'Begin the next file after so many events',
  },
  'webhook-url': { type: 'string', requiresArg: true, describe: 'The address for --to webhook' },
  'webhook-batch': {
    type: 'number',
    requiresArg: true,
    describe: 'Events in a request, up to 1000; above 1 it holds an array (1)',
  },
  'webhook-secret-file': {
    type: 'string',
    requiresArg: true,
    describe: 'A file with the secret that signs requests; or set BUSBAR_WEBHOOK_SECRET',
  },
  'webhook-attempts': { type: 'number', requiresArg: true, describe: 'Requests before giving up (8)' },
  brokers: { type: 'string', requiresArg: true, describe: 'The Kafka brokers for --to kafka: a:9092,b:9092' },
  topic: { type: 'string', requiresArg: true, describe: 'Their topic (platform.events)' },
  'topic-per': {
    type: 'string',
    requiresArg: true,
    choices: ['domain', 'type'],
    describe: 'A topic for each domain or event type, named after --topic',
  },
  compression: {
    type: 'string',
    requiresArg: true,
    choices: ['gzip', 'none'],
    describe: 'Of what --to kafka sends (gzip)',
  },
  'kafka-retries': {
    type: 'number',
    requiresArg: true,
    describe: 'How often --to kafka tries a request again (8)',
  },
  'kafka-ssl': { type: 'boolean', describe: 'Encrypt the connection of --to kafka' },
  'kafka-sasl': connectionFlags.sasl,
  'kafka-port': {
    type: 'number',
    requiresArg: true,
    describe: 'Port of the embedded Kafka broker, 0 for a free one (9092)',
  },
  broker: { type: 'boolean', default: true, describe: 'The embedded broker; --no-broker does without' },
  'http-port': {
    type: 'number',
    requiresArg: true,
    describe: 'Port of the HTTP server, 0 for a free one (4100)',
  },
  ...httpOptions,
  'wait-for-consumer': {
    type: 'string',
    requiresArg: true,
    describe: 'Hold the run until the consumer group of that name has joined, or that consumer of the stream',
  },
  'exit-when-done': { type: 'boolean', describe: 'Do not go on serving after the run' },
} as const;

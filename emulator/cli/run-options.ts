/** The options of a run, as yargs takes them; `emulate.ts` gives them their meaning. */
export const runOptions = {
  scenario: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'What happens: see emulate scenarios; everyday is all of it, in a population',
  },
  instances: {
    type: 'number',
    requiresArg: true,
    default: 1,
    describe: 'How many of each scenario, each in a household of its own',
  },
  accounts: {
    type: 'number',
    requiresArg: true,
    describe: 'How large a population the scenario everyday runs (1000)',
  },
  branch: {
    type: 'string',
    array: true,
    requiresArg: true,
    describe: 'An outcome to take instead of drawing it: occupier=unknown',
  },
  seed: { type: 'number', requiresArg: true, default: 1, describe: 'Same seed, same bytes' },
  start: {
    type: 'string',
    requiresArg: true,
    default: '2026-03-02T09:00:00Z',
    describe: 'Virtual instant at which the run begins',
  },
  'run-id': {
    type: 'string',
    requiresArg: true,
    describe: 'Other event ids, for consumers that remember those of an earlier run',
  },
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
  until: { type: 'string', requiresArg: true, describe: 'Virtual instant at which the run ends' },
  duration: {
    type: 'string',
    requiresArg: true,
    conflicts: 'until',
    describe: 'How much virtual time the run covers, as P7D or PT12H',
  },
  shard: { type: 'string', requiresArg: true, describe: 'Play one share of the run, as 2/4' },
  to: {
    type: 'string',
    array: true,
    requiresArg: true,
    choices: ['stdout', 'broker', 'websocket'],
    describe: "Where events go instead of to the emulator's own servers",
  },
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
  'wait-for-consumer': {
    type: 'string',
    requiresArg: true,
    describe: 'Hold the run until the consumer group of that name has joined, or that consumer of the stream',
  },
  'exit-when-done': { type: 'boolean', describe: 'Do not go on serving after the run' },
} as const;

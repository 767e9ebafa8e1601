import {
  anything,
  boolean,
  choice,
  either,
  listOf,
  matching,
  objectWith,
  portNumber,
  readDuration,
  text,
} from 'busbar/base';
import {
  catalogueFlag,
  envelopeFlag,
  type FlagGroup,
  flagsByName,
  flagsOf,
  type FlagTable,
  keyed,
  readParameters,
} from 'busbar/internal/command-line';
import { readBrokers } from 'busbar/internal/connection-flags';
import { brokerAddresses } from 'busbar/internal/producer-options';
import { expectedInstant, readInstant } from '../engine/read-time.js';
import { httpOptions, type HttpOptions } from '../http/secure.js';
import { type PlatformApiOptions, platformApiOptions } from '../platform-api/settings.js';
import { type KeepOptions, keepOptions, paceOptions, planOptions } from '../run/options.js';
import type { PaceOptions } from '../run/pace.js';
import type { PlanOptions } from '../run/plan.js';
import { buckets, type Shard } from '../run/shard.js';
import { readVariations, variations } from '../run/vary/variations.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { kafkaSinkOptions } from '../sinks/kafka.js';
import {
  kafkaOptions,
  type KafkaOptions,
  runStartOptions,
  type RunStartOptions,
} from '../start/send-options.js';

/** Options that only the command line has, or has in another form than `startEmulator()`. */
const commandOptions = {
  branch: {
    type: either(
      listOf(matching(/^[^=]+=/, 'BRANCH=OUTCOME, e.g. occupier=unknown')),
      planOptions.branches.type,
    ),
  },
  inputs: keepOptions.record,
  instant: { type: boolean },
  step: { type: boolean },
  to: { type: listOf(text) },
  brokers: { type: brokerAddresses },
  topic: kafkaSinkOptions.topic,
  tls: { type: objectWith('two PEM files, e.g. cert.pem,key.pem, or nothing') },
  apiKey: platformApiOptions.apiKeys,
  api: { type: anything },
  exitWhenDone: { type: boolean },
};

/** Flags of the scenarios and faults of a run. */
export interface PlanFlags
  extends Omit<PlanOptions, 'branches' | 'maskFaults' | 'inputs' | 'scenarios' | 'mix' | 'rates'> {
  /** Outcomes as `branch=outcome`, or by branch. */
  readonly branch?: string[] | NonNullable<PlanOptions['branches']>;
  readonly inputs?: string;
}

/** Parsers of values with a form of their own on the command line. */
export const as = {
  instant: { read: readInstant, expected: expectedInstant },
  start: { read: readInstant, expected: `${expectedInstant}, from 2016 to 2099` },
  duration: { read: readDuration, expected: 'a duration, e.g. 7d, 12h or P7DT12H' },
  shard: { read: readShard, expected: `a part and a number of parts up to ${buckets}, e.g. 2/4` },
  rate: { read: readRate, expected: 'events per second, e.g. 500/s' },
  share: { read: readShare, expected: 'a share, e.g. 2% or 0.02' },
  port: { expected: 'a whole number from 0 to 65535 or off', complete: () => ['off'] },
  variations: { read: (names: string) => [...readVariations(names.split(','))] },
  brokers: { read: readBrokers },
  address: { read: readAddress, expected: 'a host and port, e.g. kafka:9092' },
  parameters: { read: (list: string) => readParameters('--api', apiParameters, list.split(',')) },
};

export const planFlags: FlagTable<PlanFlags> = keyed(
  'emulator',
  flagsOf(
    { ...planOptions, ...commandOptions },
    {
      scenario: [
        '<name>',
        'Scenario to play, everyday, or a file, e.g. ./mine.ts',
        { adds: 'several', complete: scenarioNames },
      ],
      instances: ['<n>', 'Instances of each scenario'],
      accounts: ['<n>', 'Accounts in the population of everyday'],
      room: ['<n>', 'Customers that you can add to the run'],
      branch: [
        '<branch=outcome>',
        'Choose an outcome, e.g. occupier=unknown',
        { adds: 'several', complete: branchOutcomes },
      ],
      seed: ['<n>', 'Same seed, same bytes'],
      versions: ['<all|latest>', 'Versions of each occurrence to send'],
      runId: ['<text>', 'Change all event ids'],
      shard: ['<i/n>', 'Play one share of the run, e.g. 2/4', as.shard],
      inputs: ['<file>', 'Repeat the inputs of a recording or input log'],
      start: ['<date>', 'Virtual start time', { ...as.start, default: '2026-03-02T09:00:00Z' }],
      until: ['<date>', 'Virtual end time', { ...as.instant, conflicts: ['duration'] }],
      duration: ['<time>', 'Virtual time to cover, e.g. 7d, 12h or P7DT12H', as.duration],
      faults: ['<list>', 'Inject faults, e.g. duplicate=1%,reorder=2%:30s or @file'],
      vary: ['<list>', `Vary ${variations.join(',')}`, as.variations],
    },
  ),
  {
    accounts: 'world.accounts',
    room: 'world.room',
    seed: 'world.seed',
    start: 'world.start',
    branch: 'emulator.branches',
    inputs: '',
  },
);

export const keepFlags: FlagTable<KeepOptions> = keyed(
  'emulator.run',
  flagsOf(keepOptions, {
    record: ['<file>', 'Record the run, to replay or resume it'],
    resume: [
      '<file>',
      'Resume an interrupted run',
      { conflicts: ['record', ...flagsByName(planFlags).keys()] },
    ],
    faultLog: ['<file>', 'Write the injected faults to this file'],
  }),
  { resume: '' },
);

/** Flags of the sinks for events. */
export interface SinkFlags {
  readonly to?: readonly string[];
  readonly envelope?: unknown;
  readonly brokers?: readonly string[];
  readonly topic?: string;
}

export const sinkFlags: FlagTable<SinkFlags> = {
  ...flagsOf(commandOptions, {
    to: ['<url>', 'stdout, file:run.ndjson, https://…, kafka://a:9092/topic', { adds: 'several' }],
    brokers: ['<list>', 'Brokers of --to kafka, e.g. a:9092,b:9092', as.brokers],
    topic: ['<name>', 'Topic of --to kafka'],
  }),
  envelope: envelopeFlag,
};

/** The keys of `--api`. */
export const apiParameters: FlagTable<Omit<PlatformApiOptions, 'apiKeys'>> = flagsOf(platformApiOptions, {
  latency: ['<ms>', 'Delay each response'],
  failRate: ['<share>', 'Fail this share of requests with a 5xx, e.g. 2%', as.share],
  rateLimit: ['<n>', 'Requests per second before 429 responses'],
  varyErrorWording: ['', 'Change the details of errors, not their codes'],
  extraFields: ['', 'Add undocumented fields to responses'],
  strictRequests: ['', 'Refuse data imports with undocumented fields'],
  tokenMutation: ['<names>', 'Names of the mutation that returns a token'],
});

const portOrOff = { type: either(portNumber, choice(false)) };

/** Flags of the pace of a run, its sinks and its servers. */
export interface WayFlags
  extends SinkFlags,
    PaceOptions,
    Pick<HttpOptions, 'host' | 'insecure'>,
    Pick<RunStartOptions, 'waitForConsumer'> {
  readonly kafkaPort?: number | false;
  readonly kafkaHost?: string;
  readonly kafkaAdvertised?: NonNullable<KafkaOptions['advertised']>;
  readonly httpPort?: number | false;
  readonly instant?: boolean;
  readonly step?: boolean;
  readonly tls?: HttpOptions;
  readonly apiKey?: readonly string[];
  readonly api?: PlatformApiOptions;
  readonly exitWhenDone?: boolean;
}

export const wayFlags: FlagTable<WayFlags> = {
  ...keyed(
    'emulator',
    flagsOf(
      {
        ...paceOptions,
        ...httpOptions,
        ...runStartOptions,
        kafkaPort: portOrOff,
        kafkaHost: kafkaOptions.host,
        kafkaAdvertised: kafkaOptions.advertised,
        httpPort: portOrOff,
      },
      {
        speed: ['<factor>', 'Speed-up, e.g. 60, or story: pauses of at most 1.5 s'],
        rate: ['<n>', 'Events per second, e.g. 500/s', { ...as.rate, conflicts: ['instant', 'speed'] }],
        kafkaPort: [
          '<port>',
          'Port of the embedded broker, 0 for any, or off',
          { ...as.port, default: kafkaOptions.port.default },
        ],
        kafkaHost: ['<address>', 'Address of the embedded broker'],
        kafkaAdvertised: ['<address>', 'Address that Kafka clients receive', as.address],
        httpPort: [
          '<port>',
          'Port of the HTTP server, 0 for any, or off',
          { ...as.port, default: httpOptions.port.default },
        ],
        host: ['<address>', 'Address of the HTTP server'],
        insecure: ['', 'Allow plain HTTP on an address that others reach'],
        waitForConsumer: ['<name>', 'Wait for this consumer group or stream consumer'],
      },
    ),
    {
      kafkaPort: 'emulator.kafka.port',
      kafkaHost: 'emulator.kafka.host',
      kafkaAdvertised: 'emulator.kafka.advertised',
      httpPort: 'emulator.http.port',
      host: 'emulator.http.host',
      insecure: 'emulator.http.insecure',
      waitForConsumer: 'emulator.run.waitForConsumer',
    },
  ),
  ...sinkFlags,
  to: {
    ...sinkFlags.to,
    key: 'emulator.to',
    replaces: ['kafka-port', 'kafka-host', 'kafka-advertised', 'http-port', 'host', 'insecure', 'api-key'],
  },
  ...flagsOf(commandOptions, {
    instant: ['', 'Send as fast as possible', { conflicts: ['speed'] }],
    step: ['', 'Advance one event per line of standard input', { replaces: ['rate', 'speed'] }],
    tls: [
      '[cert,key]',
      'Serve HTTPS, with PEM files or a new certificate',
      { option: 'https', read: readTls },
    ],
    apiKey: [
      '<key>',
      'API key of REST clients, instead of a random one',
      { adds: 'one', key: 'emulator.platformApi.apiKeys' },
    ],
    api: ['<list>', 'REST behaviour, e.g. latency=200,fail-rate=2%', as.parameters],
    exitWhenDone: ['', 'Stop the servers when the run ends'],
  }),
};

/** The flags of `emulate` without a command. */
export const runFlags = { ...planFlags, ...keepFlags, ...wayFlags, catalogue: catalogueFlag };

/** The flags of runs and replays by group, for help. */
export const runGroups: readonly FlagGroup[] = [
  ['Scenario', 'scenario instances accounts branch seed', 'room versions run-id shard inputs'],
  ['Time', 'start duration instant speed rate', 'until step'],
  ['Faults', 'faults vary', 'fault-log'],
  ['Output', 'to record', 'envelope resume brokers topic catalogue'],
  [
    'Servers',
    'kafka-port http-port api-key',
    'kafka-host kafka-advertised api host tls insecure wait-for-consumer exit-when-done',
  ],
];

/** Returns the names of scenarios, for completion. */
export async function scenarioNames(): Promise<string[]> {
  const { everyday } = await import('../scenarios/find.js');
  return [everyday, ...(await allScenarios()).map(({ name }) => name)];
}

/** Returns the outcomes of the scenarios among the words, for completion: `occupier=unknown`. */
async function branchOutcomes(words: readonly string[]): Promise<string[]> {
  return (await allScenarios())
    .filter(({ name }) => words.includes(name))
    .flatMap(({ branches }) => Object.entries(branches))
    .flatMap(([branch, outcomes]) => Object.keys(outcomes).map((outcome) => `${branch}=${outcome}`));
}

/** Returns the built-in scenarios and those of the configuration file, unless the file has an error. */
async function allScenarios(): Promise<readonly PlatformScenario[]> {
  const { scenarios } = await import('../scenarios/index.js');
  const { configuredScenarios } = await import('../run/configured.js');
  return [...scenarios, ...(await configuredScenarios().catch(() => []))];
}

function readShard(share: string): Shard | undefined {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(share) ?? []).map(Number);
  return index >= 1 && index <= count && count <= buckets ? { index, count } : undefined;
}

function readRate(rate: string): number {
  return Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(rate)?.[1]);
}

function readShare(share: string): number {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(share) ?? [];
  return Number(amount) / (percent === undefined ? 1 : 100);
}

function readAddress(address: string): KafkaOptions['advertised'] {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address) ?? [];
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

function readTls(files: string): HttpOptions | undefined {
  if (files === '') return { https: true };
  const [, tlsCert, tlsKey] = /^([^,]+),([^,]+)$/.exec(files) ?? [];
  return tlsCert === undefined || tlsKey === undefined ? undefined : { tlsCert, tlsKey };
}

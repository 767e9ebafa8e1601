/**
 * `npm run test:kafka [-- --part i/n]`: one script of operations against a real Apache Kafka and against the embedded
 * broker, and the tests of the consumer that take a real one. The Kafka is the one of KAFKA_BROKERS, else nodes of two
 * releases started here, else the one of examples/docker-compose.yml. Each step must be answered alike, unless
 * `differences.ts` has a reason. A part takes every n-th of the releases.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startBroker } from '../../../emulator/broker/index.js';
import { partOf } from '../../part.js';
import { Outcomes } from '../outcomes.js';
import { run } from '../command.js';
import { lastLine, Unavailable } from '../provide.js';
import { kafkaVersions } from '../versions.js';
import { Dialogue, servedVersions, type Step } from './dialogue.js';
import { differences } from './differences.js';
import { script } from './script/script.js';
import { type Kafka, startComposedKafka, startKafka } from './start-kafka.js';

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message: string, fields?: Record<string, unknown>) => console.error(message, fields),
};

/** The tests that take a real Kafka where there is one. */
const consumerTests = [
  ['the conformance suite for kafka(...)', 'test/src/transports/kafka/kafka.conformance.test.ts'],
  ['static members of a group', 'test/src/transports/kafka/static-members.test.ts'],
  ['busbar dead-letters', 'test/src/cli/dead-letters/command.int.test.ts'],
  ['busbar offsets', 'test/src/cli/offsets/command.int.test.ts'],
] as const;

/** Those that need its secured listener as well. */
const securedTests = [
  ['TLS and SASL of kafka(...)', 'test/src/transports/kafka/security.test.ts'],
  ['kafka(...) without rights', 'test/src/transports/kafka/permissions.test.ts'],
] as const;

const { values } = parseArgs({ options: { part: { type: 'string' } } });
const outcomes = new Outcomes();
const explained = new Set<string>();
let compared = 0;

// The tests of commands run what is built.
const built = await run('node', ['.packaging/build-if-changed.js']);
if (built.code !== 0) outcomes.failed('npm run build', built.output);
const given = process.env['KAFKA_BROKERS'];
if (given !== undefined && given !== '') {
  await compare('KAFKA_BROKERS', async () => ({ bootstrapServers: given, stop: async () => undefined }));
} else {
  for (const version of partOf([kafkaVersions.old, kafkaVersions.current], values.part)) {
    await compare(`Apache Kafka ${version}`, () => startKafka(version));
  }
  if (compared === 0) await compare('Apache Kafka in Docker Compose', startComposedKafka);
}
if (compared > 1) {
  for (const { title, steps } of differences) {
    if (!explained.has(title))
      outcomes.failed(`the difference "${title}"`, `no step shows it any more: ${steps}`);
  }
}
outcomes.summarise();

async function compare(name: string, startReal: () => Promise<Kafka>): Promise<void> {
  let kafka: Kafka;
  try {
    kafka = await startReal();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcomes.notRun(name, error.message);
    return;
  }
  try {
    const versions = await servedVersions(kafka.bootstrapServers);
    const theirs = await play(kafka.bootstrapServers, versions);
    const broker = await startBroker({ port: 0, logger: silent });
    const ours = await play(broker.bootstrapServers, versions).finally(() => broker.stop());
    judge(name, theirs, ours);
    compared += 1;
    await examineConsumers(name, kafka);
  } finally {
    await kafka.stop();
  }
}

async function examineConsumers(name: string, { bootstrapServers, secured }: Kafka): Promise<void> {
  const env = {
    KAFKA_BROKERS: bootstrapServers,
    ...(secured === undefined ? {} : { KAFKA_SECURED_BROKERS: secured }),
  };
  for (const [what, file] of secured === undefined ? consumerTests : [...consumerTests, ...securedTests]) {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', file];
    const { code, output } = await run(process.execPath, vitest, { env });
    if (code === 0) outcomes.passed(`${name}: ${what}`);
    else outcomes.failed(`${name}: ${what}`, `${lastLine(output)}\n${output}`);
  }
  if (secured !== undefined) return;
  const needed = 'only a Kafka that is started here has a listener with TLS, SASL and access control';
  for (const [what] of securedTests) outcomes.notRun(`${name}: ${what}`, needed);
}

async function play(servers: string, versions: ReadonlyMap<string, readonly number[]>): Promise<Step[]> {
  const dialogue = new Dialogue(servers, versions);
  try {
    await script(dialogue);
  } finally {
    dialogue.close();
  }
  return dialogue.steps;
}

function judge(kafka: string, theirs: readonly Step[], ours: readonly Step[]): void {
  const answers = new Map(ours.map(({ name, answer }) => [name, answer]));
  for (const { name, answer } of theirs) {
    const known = differences.find(({ steps }) => steps.test(name));
    if (isDeepStrictEqual(answers.get(name), answer)) {
      outcomes.passed(`${kafka}: ${name}`);
    } else if (known) {
      explained.add(known.title);
      console.log(`differs ${kafka}: ${name}: ${known.title}`);
    } else {
      const [one, other] = firstDifference(answer, answers.get(name));
      outcomes.failed(`${kafka}: ${name}`, `Kafka ${one}, we ${other}`);
    }
  }
  if (theirs.length !== ours.length) {
    outcomes.failed(`${kafka}: the script`, `${theirs.length} steps with Kafka, ${ours.length} with us`);
  }
}

/** The smallest parts in which two answers differ, as `path=value`. */
function firstDifference(one: unknown, other: unknown, path = ''): [string, string] {
  const shown = (value: unknown): string => `${path}=${JSON.stringify(value)}`.slice(0, 300);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return [shown(one), shown(other)];
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [a, b] = [(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]];
    if (!isDeepStrictEqual(a, b)) return firstDifference(a, b, `${path}/${key}`);
  }
  return [shown(one), shown(other)];
}

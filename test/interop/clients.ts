import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmulator } from '../../emulator/index.js';
import { silentLogger } from '../../src/index.js';
import { type Ended, run } from './command.js';
import { cooperativeGroup } from './cooperative-group.js';
import { goldenMessages } from './golden-messages.js';
import { kcat } from './kcat.js';
import { cache, lastLine, provideJars, providePackages, providePrograms, Unavailable } from './provide.js';
import type { Served } from './served.js';
import { verifiable } from './verifiable.js';
import { kafkaVersions } from './versions.js';

/** A client that no one here wrote, with a program of ours that uses it. */
export interface Client {
  readonly name: string;
  /** The lines `ok NAME`, `not ok NAME: WHY` and `skip NAME: WHY`. @throws {Unavailable} */
  readonly run: (served: Served) => Promise<Ended>;
}

export const clients: readonly Client[] = [
  ...[kafkaVersions.old, kafkaVersions.client].map((version) => ({
    name: `java-${version}`,
    run: async ({ bootstrapServers, prefix }: Served) => {
      const jars = await provideJars('kafka-clients', version);
      const program = source('java/RoundTrip.java');
      return run('java', ['-cp', `${jars}/*`, program, bootstrapServers, prefix], { timeoutMs: 180_000 });
    },
  })),
  ...[kafkaVersions.old, kafkaVersions.current].map((version) => ({
    name: `verifiable-${version}`,
    run: async (served: Served) => verifiable(await provideJars('kafka-tools', version), served),
  })),
  {
    name: 'kafka-streams',
    async run({ bootstrapServers, prefix }) {
      const jars = await provideJars('kafka-streams', kafkaVersions.current);
      // Streams leaves its state in folders that it makes here.
      const folder = mkdtempSync(join(tmpdir(), 'busbar-streams-'));
      const java = ['-cp', `${jars}/*`, `-Djava.io.tmpdir=${folder}`, source('java/Streams.java')];
      const ended = await run('java', [...java, bootstrapServers, prefix], { timeoutMs: 180_000 });
      rmSync(folder, { recursive: true, force: true });
      return ended;
    },
  },
  {
    name: 'golden-messages',
    async run() {
      const known = readFileSync(source('../emulator/broker/golden/kafka-messages.txt'), 'utf8');
      const isCurrent = (await goldenMessages()) === known;
      const what = 'messages of the tests are as Kafka writes them';
      return { code: 0, output: isCurrent ? `ok ${what}` : `not ok ${what}: run write-golden-messages.ts` };
    },
  },
  {
    name: 'franz-go',
    async run({ bootstrapServers, prefix }) {
      return run(await builtByGo('.', 'franz-go'), [bootstrapServers, prefix]);
    },
  },
  {
    name: 'kcat',
    async run(served) {
      await providePrograms({ kcat: 'kcat' });
      return kcat(served);
    },
  },
  {
    name: 'confluent-kafka-python',
    async run(served) {
      await providePackages(['python3-confluent-kafka']);
      return python('confluent.py', served);
    },
  },
  {
    name: 'kafka-python',
    async run(served) {
      await providePackages(['python3-kafka', 'python3-snappy', 'python3-lz4', 'python3-zstandard']);
      return python('kafka_python.py', served);
    },
  },
  {
    name: 'cooperative-java',
    async run(served) {
      const jars = await provideJars('kafka-tools', kafkaVersions.current);
      const member = ['-cp', `${jars}/*`, 'org.apache.kafka.tools.VerifiableConsumer', '--verbose'];
      const strategy = 'org.apache.kafka.clients.consumer.CooperativeStickyAssignor';
      return cooperativeGroup(
        served,
        'java',
        (topic) => [
          ...[...member, '--bootstrap-server', served.bootstrapServers, '--assignment-strategy', strategy],
          ...['--topic', topic, '--group-id', topic, '--reset-policy', 'earliest'],
        ],
        (line) => (line.includes('"record_data"') ? 1 : 0),
      );
    },
  },
  {
    name: 'cooperative-librdkafka',
    async run(served) {
      await providePrograms({ kcat: 'kcat' });
      const settings = ['partition.assignment.strategy=cooperative-sticky', 'auto.offset.reset=earliest'];
      return cooperativeGroup(
        served,
        'kcat',
        (topic) => [
          ...['-b', served.bootstrapServers, '-u', '-q', '-f', 'record %o\\n'],
          ...[...settings.flatMap((setting) => ['-X', setting]), '-G', topic, topic],
        ],
        (line) => (line.startsWith('record ') ? 1 : 0),
      );
    },
  },
  {
    name: 'faults-java',
    async run() {
      const jars = await provideJars('kafka-clients', kafkaVersions.client);
      return underFaults((args) =>
        run('java', ['-cp', `${jars}/*`, source('java/BrokerFaults.java'), ...args]),
      );
    },
  },
  {
    name: 'faults-go',
    async run() {
      const program = await builtByGo('./faults', 'franz-go-faults');
      return underFaults((args) => run(program, args));
    },
  },
  {
    name: 'faults-python',
    async run() {
      await providePackages(['python3-confluent-kafka']);
      const program = source('python/broker_faults.py');
      return underFaults((args) => run('/usr/bin/python3', ['-B', program, ...args]));
    },
  },
];

/** Runs a program with the addresses of an emulator: its broker, and its control API for faults of the broker. */
async function underFaults(program: (args: readonly string[]) => Promise<Ended>): Promise<Ended> {
  const {
    bootstrapServers = '',
    url,
    stop,
  } = await startEmulator({
    kafka: { port: 0 },
    http: { port: 0 },
    logger: silentLogger,
  });
  try {
    return await program([bootstrapServers, `${url}/emulator/v1/broker`]);
  } finally {
    await stop();
  }
}

/** Returns the path of a program that Go has built. @throws {Unavailable} */
async function builtByGo(folder: string, name: string): Promise<string> {
  await providePrograms({ go: 'golang-go' });
  mkdirSync(cache, { recursive: true });
  const program = join(cache, name);
  const built = await run('go', ['build', '-o', program, folder], { cwd: source('go'), timeoutMs: 300_000 });
  if (built.code !== 0) throw new Unavailable(`Go cannot build it: ${lastLine(built.output)}`);
  return program;
}

/** Debian's own interpreter, which is the one that sees Debian's packages. */
function python(program: string, { bootstrapServers, prefix }: Served): Promise<Ended> {
  return run('/usr/bin/python3', ['-B', source(`python/${program}`), bootstrapServers, prefix]);
}

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../examples/start/free-port.js';
import { restartPort } from '../../restart-port.js';
import { exists, run, start, stop } from '../command.js';
import { lastLine, provideJars, Unavailable } from '../provide.js';
import { servedVersions } from './dialogue.js';
import { pemOf, scramArguments, securedSettings } from './secured-listener.js';

export interface Kafka {
  readonly bootstrapServers: string;
  /** Of the listener with TLS, SASL and access control (`secured-listener.ts`); absent where it is not ours. */
  readonly secured?: string;
  /** Ends the node without notice and starts it again on its data; absent where it is not ours. */
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

/** Ends a start that hangs. A busy machine takes more than a minute. */
const START_MS = 300_000;

/** 16 bytes in base64url. A drawn one may begin with a hyphen, and be taken for an option. */
const clusterId = Buffer.from('busbar test node').toString('base64url');

/**
 * A single KRaft node of Apache Kafka on free ports, with its data in a temporary folder that `stop` removes. `settings`
 * are lines of its properties, next to the required ones.
 *
 * @throws {Unavailable} when the machine has no Java, or Maven cannot fetch the jars
 */
export async function startKafka(version: string, settings: readonly string[] = []): Promise<Kafka> {
  const jars = await provideJars('kafka_2.13', version);
  const folder = mkdtempSync(join(tmpdir(), 'busbar-kafka-'));
  const [bootstrapServers, secured, controller] = await freeAddresses();
  const properties = join(folder, 'server.properties');
  const keystore = join(folder, 'keystore.pem');
  writeFileSync(keystore, pemOf('key') + pemOf('cert'));
  writeFileSync(
    properties,
    [
      ...propertiesOf(bootstrapServers, secured, controller),
      `log.dirs=${join(folder, 'data')}`,
      ...securedSettings(keystore),
      ...settings,
    ].join('\n'),
  );
  const java = ['-Xmx512m', '-cp', `${jars}/*`];
  const format = [
    'kafka.tools.StorageTool',
    'format',
    '-t',
    clusterId,
    '-c',
    properties,
    ...scramArguments(),
  ];
  const formatted = await run('java', [...java, ...format]);
  if (formatted.code !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`Kafka ${version} cannot format its storage: ${lastLine(formatted.output)}`);
  }

  let output = '';
  const startNode = () => {
    const node = start('java', [...java, 'kafka.Kafka', properties]);
    for (const stream of [node.stdout, node.stderr]) {
      stream?.on('data', (text) => (output = (output + String(text)).slice(-100_000)));
    }
    return node;
  };
  let node = startNode();
  const running: Kafka = {
    bootstrapServers,
    secured,
    async restart() {
      await stop(node);
      node = startNode();
      if (!(await responds(bootstrapServers, () => node.exitCode === null)))
        throw new Error(`Kafka ${version} did not start again: ${lastLine(output)}`);
    },
    async stop() {
      await stop(node);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const interrupted = (): void => {
    void running.stop().then(() => process.exit(130));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  if (await responds(bootstrapServers, () => node.exitCode === null)) return running;
  await running.stop();
  throw new Error(`Kafka ${version} did not start: ${lastLine(output)}`);
}

/** The node of examples/docker-compose.yml. @throws {Unavailable} without Docker */
export async function startComposedKafka(): Promise<Kafka> {
  const file = fileURLToPath(new URL('../../../examples/docker-compose.yml', import.meta.url));
  const compose = (...args: string[]) =>
    run('docker', ['compose', '-f', file, ...args], { timeoutMs: 300_000 });
  if (!(await exists('docker'))) throw new Unavailable('Docker is not installed');
  const up = await compose('up', '--detach');
  if (up.code !== 0) throw new Unavailable(`Docker Compose does not start: ${lastLine(up.output)}`);
  const bootstrapServers = '127.0.0.1:9092';
  const down = async (): Promise<void> => {
    await compose('down', '--volumes');
  };
  if (await responds(bootstrapServers, () => true)) return { bootstrapServers, stop: down };
  await down();
  throw new Error('Kafka in Docker Compose did not start');
}

function propertiesOf(plain: string, secured: string, controller: string): string[] {
  const listeners = `PLAINTEXT://${plain},SECURED://${secured}`;
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `listeners=${listeners},CONTROLLER://${controller}`,
    `advertised.listeners=${listeners}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECURED:SASL_SSL,CONTROLLER:PLAINTEXT',
    'controller.listener.names=CONTROLLER',
    `controller.quorum.voters=1@${controller}`,
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    // As in the embedded broker; the delay would only make the comparison slower.
    'group.initial.rebalance.delay.ms=0',
  ];
}

async function responds(bootstrapServers: string, isAlive: () => boolean): Promise<boolean> {
  const end = Date.now() + START_MS;
  while (Date.now() < end && isAlive()) {
    try {
      if ((await servedVersions(bootstrapServers)).size > 0) return true;
    } catch {
      // Not listening yet.
    }
    await pause(200);
  }
  return false;
}

/** Ports that the node can take again when it restarts. */
async function freeAddresses(): Promise<[string, string, string]> {
  const plain = await restartPort();
  const secured = await freePort(plain + 1);
  const controller = await freePort(secured + 1);
  return [`127.0.0.1:${plain}`, `127.0.0.1:${secured}`, `127.0.0.1:${controller}`];
}

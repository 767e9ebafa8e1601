/**
 * `npm run test:hosts [-- --part i/n]`: the services of the pages in `docs/guides/hosts`, before and after the change
 * that a page shows. Both must handle the same events, once each. A Kafka service reads them from the embedded broker. A
 * Lambda function receives them as AWS sends them. The first bill fails, so that the host must deliver it again. A part
 * plays every n-th service. `--keep` keeps the folder.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedBroker } from '../../emulator/broker/start.js';
import { run, start, stop } from '../interop/command.js';
import { Outcomes } from '../interop/outcomes.js';
import { lastLine } from '../interop/provide.js';
import { commands } from '../command.js';
import { partOf } from '../part.js';
import { root } from '../read-sources.js';
import { type HostDiff, hostDiffs } from './read-diffs.js';

// NestJS 12 and later versions of @platformatic/kafka do not install on Node 20.
const packages = {
  '@confluentinc/kafka-javascript': '1.10.1',
  '@nestjs/common': '11.2.10',
  '@nestjs/core': '11.2.10',
  '@nestjs/microservices': '11.2.6',
  '@platformatic/kafka': '1.22.0',
  '@types/aws-lambda': '8.10.164',
  kafkajs: '2.2.4',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
};
const topic = 'platform.events';
const partitions = 3;

const { values } = parseArgs({ options: { part: { type: 'string' }, keep: { type: 'boolean' } } });
const outcomes = new Outcomes();
const folder = mkdtempSync(join(tmpdir(), 'busbar-hosts-'));
const events = await platformEvents();
const expected = events.flatMap(callOf).sort();
try {
  await install();
  const hosts = partOf(hostDiffs(), values.part);
  for (const each of hosts) {
    writeFileSync(fileOf(each, 'before'), each.before);
    writeFileSync(fileOf(each, 'after'), each.after);
  }
  await compile();
  const hasConfluent = await provideConfluent();
  for (const each of hosts) {
    if (hasConfluent || !each.name.startsWith('confluent')) await check(each);
    else outcomes.notRun(each.name, 'no binary package for this platform');
  }
} finally {
  if (values.keep) console.log(`Kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
outcomes.summarise();

interface PlatformEvent {
  readonly id: string;
  readonly event_type: string;
  readonly version: string;
  readonly occurred_at: string;
  readonly payload: { readonly account_number?: string };
}

/** Returns the events of three house moves. */
async function platformEvents(): Promise<PlatformEvent[]> {
  const args = ['--scenario', 'house-move', '--instances', '3', '--instant', '--to', 'stdout'];
  const { output } = await run(process.execPath, [commands.emulate, ...args]);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as PlatformEvent);
}

async function install(): Promise<void> {
  cpSync(join(import.meta.dirname, 'program'), folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: packages }),
  );
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await run('npm', args, { cwd: folder, timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`npm cannot install the hosts:\n${output}`);
  symlinkSync(root, join(folder, 'node_modules/busbar'));
}

/** Downloads the native part of Confluent's client. Returns whether there is one for this platform. */
async function provideConfluent(): Promise<boolean> {
  const cwd = join(folder, 'node_modules/@confluentinc/kafka-javascript');
  const { code } = await run(join(folder, 'node_modules/.bin/node-pre-gyp'), ['install'], { cwd });
  return code === 0;
}

async function compile(): Promise<void> {
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ experimentalDecorators: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { code, output } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
  if (code === 0) outcomes.passed('all services compile');
  else outcomes.failed('all services compile', output);
}

async function check(host: HostDiff): Promise<void> {
  const play = async (when: 'before' | 'after') => {
    const name = `${host.name}, ${when}`;
    const { handled, output } = await (host.name.startsWith('aws-lambda') ? invoke : consume)(host, when);
    const [got, wanted] = [handled.sort().join(', '), expected.join(', ')];
    if (got === wanted) outcomes.passed(`${name}: handled ${handled.length} events once`);
    else outcomes.failed(name, `handled ${got || 'nothing'}, not ${wanted}\n${output}`);
  };
  await Promise.all([play('before'), play('after')]);
}

interface Played {
  readonly handled: string[];
  readonly output: string;
}

async function consume(host: HostDiff, when: 'before' | 'after'): Promise<Played> {
  const ignore = (): void => undefined;
  const broker = await startEmbeddedBroker({
    port: 0,
    topics: [{ name: topic, partitions }],
    logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  });
  broker.append(topic, events.map(recordOf));
  const file = fileOf(host, when);
  // The loop of @platformatic/kafka ends with the first failure, and another process would wait for its session to end.
  const env = host.name.startsWith('platformatic') ? {} : { FAIL_ONCE: '1' };
  writeFileSync(file, host[when].replace('localhost:9092', broker.bootstrapServers));
  const child = start(process.execPath, ['--import', import.meta.resolve('tsx'), file], { cwd: folder, env });
  let output = '';
  const isComplete = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += String(text);
        if (callsIn(output).length >= expected.length) resolve();
      });
    }
    child.once('close', () => resolve());
    setTimeout(resolve, 60_000).unref();
  });
  await isComplete;
  await stop(child);
  await broker.stop();
  return { handled: callsIn(output), output };
}

async function invoke(host: HostDiff, when: 'before' | 'after'): Promise<Played> {
  const eventsFile = join(folder, 'events.json');
  writeFileSync(eventsFile, JSON.stringify(events.map(eventBridgeEvent)));
  const source = host.name.endsWith('SQS') ? 'sqs' : 'eventbridge';
  const program = ['--import', import.meta.resolve('tsx'), join(folder, 'invoke.ts')];
  const { output } = await run(process.execPath, [...program, fileOf(host, when), source, eventsFile], {
    cwd: folder,
    env: { FAIL_ONCE: '1' },
  });
  return { handled: callsIn(output), output: lastLine(output) };
}

function fileOf({ name }: HostDiff, when: 'before' | 'after'): string {
  return join(folder, `${name.replaceAll(/\W+/g, '-')}-${when}.ts`);
}

function callsIn(output: string): string[] {
  return [...output.matchAll(/^handled (.*)$/gm)].map(([, call]) => call!);
}

/** Returns the call that a service makes for an event. */
function callOf({ event_type: type, payload }: PlatformEvent): string[] {
  const account = payload.account_number ?? '';
  if (type === 'account.created') return [`openAccount ${account}`];
  return type === 'billing.final_bill' ? [`sendBill ${account}`] : [];
}

function recordOf(event: PlatformEvent) {
  const key = Buffer.from(event.payload.account_number ?? '');
  return {
    partition: (key.at(-1) ?? 0) % partitions,
    key,
    value: Buffer.from(JSON.stringify(event)),
    headers: { 'event-type': Buffer.from(event.event_type), 'event-version': Buffer.from(event.version) },
  };
}

/** Returns the event as a rule of Amazon EventBridge passes it on. */
function eventBridgeEvent({ id, event_type: type, version, occurred_at: time, payload }: PlatformEvent) {
  return {
    version: '0',
    id,
    'detail-type': `${type}-${version}`,
    source: 'energy.platform',
    account: '123456789012',
    time,
    region: 'eu-central-1',
    resources: [],
    detail: payload,
  };
}

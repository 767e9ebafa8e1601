import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import WebSocket from 'ws';
import { busbar, emulate } from './built.js';
import { type Measured, median, timeOf } from './measure.js';

// A CommonJS module whose exports Node does not find by name.
const { Kafka, logLevel } = kafkajs;
const rounds = 15;
const run = ['--scenario', 'house-move', '--instant'];
const freePorts = ['--kafka-port', '0', '--http-port', '0'];

/** Measures the start of processes: each figure is the median of fresh processes. */
export async function* measure(): AsyncIterable<Measured> {
  const ready = Array.from({ length: rounds }, () =>
    Number(node('--input-type=module', '--eval', readyConsumer)),
  );
  yield { case: 'consumer of 12 handlers over kafkajs', ratio: median(ready), target: 10, unit: 'ms' };
  yield { case: '50 own events from the cache over none: CPU', ratio: ownEvents(), target: 3, unit: 'ms' };

  for (const [name, command] of Object.entries({ emulate, busbar })) {
    const over = Array.from({ length: rounds }, () => {
      const bare = timeOf(() => node('--eval', '0'));
      return timeOf(() => node(command, '--help')) - bare;
    });
    yield { case: `${name} --help over bare node`, ratio: median(over), target: 40, unit: 'ms' };
  }

  const transports = [
    ['stdout', 200, [...run, '--to', 'stdout'], firstLine],
    ['WebSocket', 200, [...run, ...freePorts], firstOverWebSocket],
    ['Kafka', 500, [...run, ...freePorts], firstOverKafka],
  ] as const;
  for (const [name, target, args, firstEvent] of transports) {
    const first: number[] = [];
    for (let round = 0; round < 9; round++) {
      const begun = performance.now();
      const child = spawn(process.execPath, [emulate, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      await firstEvent(child);
      first.push(performance.now() - begun);
      child.kill();
      await once(child, 'close');
    }
    yield { case: `start to first event on ${name}`, ratio: median(first), target, unit: 'ms' };
  }
}

/** Returns how much more CPU time a consumer takes to be ready of which 50 events are its own, not built-in. */
function ownEvents(): number {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-startup-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    mkdirSync(join(folder, 'own'));
    for (let number = 0; number < 50; number++) {
      const schema = {
        'x-event-type': `own.event_${number}`,
        'x-event-version': 'v1',
        'x-busbar-key': 'account',
        type: 'object',
        properties: {
          account: { $ref: '../shapes/HouseMoveAccount.json' },
          supply_points: { type: 'array', items: { $ref: '../shapes/HouseMoveSupplyPoint.json' } },
          moved_on: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
        },
        required: ['account', 'supply_points'],
      };
      writeFileSync(join(folder, 'own', `${number}.json`), JSON.stringify(schema, null, 2));
    }
    const start = (events: string) =>
      Number(node('--input-type=module', '--eval', readyConsumer, folder, events));
    // The first start fills the cache.
    start('own');
    return median(Array.from({ length: 2 * rounds }, () => start('own') - start('built-in')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Resolves with the first group of the pattern, once a process prints a match on standard error. */
function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    child.stderr!.on('data', (data: Buffer) => {
      text += data.toString();
      const match = pattern.exec(text)?.[1];
      if (match !== undefined) resolve(match);
    });
  });
}

async function firstLine(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data');
}

async function firstOverWebSocket(child: ChildProcess): Promise<void> {
  const socket = new WebSocket(await said(child, /(ws:\/\/\S+)/), 'busbar.v1');
  const batch = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.toString().startsWith('{"type":"batch"')) resolve();
    });
  });
  await once(socket, 'open');
  socket.send('{"type":"subscribe","mode":"observe"}');
  await batch;
  socket.terminate();
}

async function firstOverKafka(child: ChildProcess): Promise<void> {
  const broker = await said(child, /Kafka +([^,\s]+)/);
  const consumer = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).consumer({
    groupId: 'first',
  });
  await consumer.connect();
  await consumer.subscribe({ topic: 'platform.events', fromBeginning: true });
  await new Promise<void>((resolve) => {
    void consumer.run({ eachMessage: async () => resolve() });
  });
  await consumer.disconnect();
}

/** Loads kafkajs first, as every Kafka consumer must; then the consumer, up to its connection. */
const readyConsumer = `
  await import('kafkajs');
  const start = performance.now();
  const used = process.cpuUsage();
  const { createConsumer, silentLogger } = await import('busbar');
  const { memory } = await import('busbar/internal/memory');
  const [folder, own] = process.argv.slice(1);
  const options = { logger: silentLogger };
  if (own === 'own') {
    const { loadCatalogue } = await import('busbar/catalogue');
    options.catalogue = await loadCatalogue(['own'], { directory: folder });
  }
  const consumer = createConsumer(options);
  for (const [type, version] of [
    ['account.created', 'v1'],
    ['account.updated', 'v1'],
    ['account_user.created', 'v1'],
    ['agreement.created', 'v1'],
    ['agreement.terminated', 'v2'],
    ['billing.billing_document.issued', 'v2'],
    ['billing.final_bill', 'v1'],
    ['billing.ledger.entry_posted', 'v2'],
    ['lifecycle.join-supplier.requested', 'v1'],
    ['lifecycle.join-supplier.completed', 'v1'],
    ['lifecycle.leave-supplier.completed', 'v3'],
    ['meterpoint.gas.backfill', 'v1'],
  ]) consumer.on(type, version, () => undefined);
  if (folder !== undefined) {
    const { openCatalogue } = await import('busbar/catalogue');
    const { events } = options.catalogue ?? openCatalogue();
    const prefix = own === 'own' ? /^own/ : /^(ink|contracts|data_import|campaign)/;
    const others = events.filter(({ type }) => prefix.test(type));
    for (const { type, version } of others.slice(0, 50)) consumer.on(type, version, () => undefined);
  }
  const running = await consumer.run(memory());
  const { user, system } = process.cpuUsage(used);
  console.log(folder === undefined ? performance.now() - start : (user + system) / 1000);
  await running.stop();
`;

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: new URL('..', import.meta.url) });
}

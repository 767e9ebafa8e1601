import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { silentLogger } from 'busbar';
import type { OutgoingEvent } from 'busbar-emulator';
import { liveMemory } from '../test/live-memory.js';
import { measured } from './built.js';
import { type Measured, median } from './measure.js';
import type { ClientsReport, ClientsTask, ClientsTotal } from './websocket-clients.js';

const rounds = 9;
const clients = 50;
/** Events per batch: the size that a run uses. */
const batch = 256;

/** Measures the fan-out to many clients relative to one send per event and client, and the memory of a stalled client. */
export async function* measure(): AsyncIterable<Measured> {
  const process = fork(new URL('./websocket-clients.ts', import.meta.url));
  try {
    const ratios: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const floor = await sendPerEvent(process, 1_000);
      const ours = await throughSink(process, 20_000);
      if (round > 0) ratios.push(ours / floor);
    }
    yield {
      case: `${clients} clients / one send per event`,
      ratio: median(ratios),
      target: 15,
      atLeast: true,
    };

    const costs: number[] = [];
    for (let round = 0; round < 3; round++) costs.push(await costOfStuckClient(process));
    yield { case: 'a client that stops reading', ratio: median(costs), target: 10, unit: 'MB' };
  } finally {
    process.kill();
  }
}

/** Returns the events per millisecond with one serialisation and send per client. */
async function sendPerEvent(process: ChildProcess, records: number): Promise<number> {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const url = await listen(http);
  const done = await attach(process, { url, clients, records, protocol: 'messages' });
  const start = performance.now();
  for (let n = 0; n < records; n++) {
    for (const socket of sockets) socket.send(JSON.stringify(envelope(n)));
    if (n % batch === 0) await turn();
  }
  const { received } = await done();
  const rate = received / (performance.now() - start);
  server.close();
  http.close();
  return rate;
}

async function throughSink(process: ChildProcess, records: number): Promise<number> {
  // Room for all events, so that each client gets all of them.
  const served = await serveSink({ history: { records, bytes: 1e9 } });
  const done = await attach(process, { url: served.url, clients, records, protocol: 'frames' });
  const start = performance.now();
  await write(served.sink, records);
  const { received } = await done();
  const rate = received / (performance.now() - start);
  if (received !== clients * records) throw new Error(`${received} records arrived`);
  await served.stop();
  return rate;
}

/** Returns the megabytes per stalled client, above a run without clients. Checks the reported gaps of each client. */
async function costOfStuckClient(process: ChildProcess): Promise<number> {
  const records = 200_000;
  const stuck = 30;
  const before = await memoryAlone(records);
  const served = await serveSink({});
  const task = { url: served.url, clients: stuck, records, protocol: 'frames', paused: true } as const;
  const done = await attach(process, task);
  await write(served.sink, records);
  const after = liveMemory().withBuffers;
  process.send('resume');
  const { received, missed } = await done();
  if (received + missed !== stuck * records || missed === 0) {
    throw new Error(`${received} records arrived and ${missed} were announced as missed`);
  }
  await served.stop();
  return (after - before) / stuck / 1e6;
}

/** Measures a run without clients, in its own function so that its memory is freed. */
async function memoryAlone(records: number): Promise<number> {
  const { sink, stop } = await serveSink({});
  await write(sink, records);
  const used = liveMemory().withBuffers;
  await stop();
  return used;
}

async function serveSink(options: Parameters<typeof measured.websocketSink>[0]) {
  const sink = measured.websocketSink({ logger: silentLogger, ...options });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => sink.upgrade(request, socket, head));
  const url = await listen(http);
  const stop = async () => {
    await sink.close();
    http.close();
  };
  return { sink, url, stop };
}

async function write(
  sink: { write(emissions: readonly OutgoingEvent[]): void | Promise<void> },
  records: number,
): Promise<void> {
  for (let first = 0; first < records; first += batch) {
    const count = Math.min(batch, records - first);
    await sink.write(Array.from({ length: count }, (_, n) => emission(first + n)));
    await turn();
  }
}

/** Connects the clients. Resolves to a function that waits for their results. */
async function attach(process: ChildProcess, task: ClientsTask): Promise<() => Promise<ClientsTotal>> {
  const done = answer(process, 'done');
  const ready = answer(process, 'ready');
  process.send(task);
  await ready;
  return () => done as Promise<ClientsTotal>;
}

function answer(process: ChildProcess, is: ClientsReport['is']): Promise<ClientsReport> {
  return new Promise((resolve) => {
    const listener = (report: ClientsReport) => {
      if (report.is !== is) return;
      process.off('message', listener);
      resolve(report);
    };
    process.on('message', listener);
  });
}

async function listen(http: ReturnType<typeof createServer>): Promise<string> {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
}

function envelope(n: number) {
  return {
    id: `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    event_type: 'account.created',
    version: 'v1',
    occurred_at: '2026-03-01T09:00:00.000Z',
    payload: { account: { number: `A-${n}`, notes: 'x'.repeat(390) } },
  };
}

function emission(n: number): OutgoingEvent {
  const made = envelope(n);
  return {
    envelope: made,
    bytes: Buffer.from(JSON.stringify(made)),
    headers: { 'event-type': made.event_type, 'event-version': made.version, 'event-id': made.id },
    key: `A-${n}`,
    at: 0,
    cell: 1,
    instance: 'bench#1',
    step: 'bench',
    faults: [],
  };
}

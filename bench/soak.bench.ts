import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import kafkajs from 'kafkajs';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../test/browser/launch.js';
import { emulate } from './built.js';
import type { Measured, MeasureOptions } from './measure.js';
import { Inspected, openFiles, type Sample } from './soak/inspected.js';
import { type Point, trendOf } from './soak/trend.js';

// A CommonJS module whose exports Node does not find by name.
const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;
const topic = 'platform.events';
/** Bytes of a partition, above which the broker drops records: a log that still fills would hide other growth. */
const retention = 16 * 1024 * 1024;
/** Bytes by which the emulator may grow with an event: the REST API serves all entries, bills and payments. */
const history = 100;
const perSecond = 500;
/** Few enough that all households are open in the first minutes. */
const accounts = 5_000;
const apiKey = 'soak';
/** Milliseconds between two samples, between two REST requests, and between two cuts of all broker connections. */
const [sampling, reading, cutting] = [10_000, 50, 60_000];

/** Bounds of the change in an hour, as shares of the level, and of the last third relative to the second. */
const bounds: Readonly<Record<string, { readonly perHour: number; readonly ofSecondThird: number }>> = {
  'live memory': { perHour: 0.1, ofSecondThird: 1.05 },
  'resident memory': { perHour: 0.2, ofSecondThird: 1.1 },
  handles: { perHour: 0.1, ofSecondThird: 1.05 },
  'open files': { perHour: 0.1, ofSecondThird: 1.05 },
  'DOM nodes': { perHour: 0.1, ofSecondThird: 1.05 },
};
const views = ['Live', 'Journeys', 'World', 'Compose', 'Run', 'Consumers'];

/**
 * Plays a population for a while with the embedded broker, a consumer process, the dashboard in a browser and a reader of
 * the REST API. All broker connections are cut every minute. Measures the memory, handles and open files of each process,
 * and counts what was lost or handled twice.
 */
export async function* measure({ duration = 30 * 60_000 }: MeasureOptions): AsyncIterable<Measured> {
  const ends: (() => Promise<void>)[] = [];
  try {
    const emulator = await Inspected.start(
      [
        emulate,
        ...['--scenario', 'everyday', '--accounts', String(accounts), '--rate', `${perSecond}/s`],
        ...['--faults', 'duplicate=1%', '--api-key', apiKey, '--kafka-port', '0', '--http-port', '0'],
      ],
      [/Dashboard +(\S+)\//, /Kafka +([^,\s]+)/],
    );
    ends.push(() => emulator.process.end());
    const [url = '', broker = ''] = emulator.matches;
    const room = String(Math.ceil((duration / 1_000 + 60) * perSecond * 2));
    const script = fileURLToPath(new URL('./soak/consumer.ts', import.meta.url));
    const consumer = await Inspected.start(['--import', 'tsx', script, broker, url, room]);
    ends.push(() => consumer.process.end());
    await limitLog(broker);
    const browser = await launchBrowser();
    ends.push(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(url);
    await page.locator('.row').first().waitFor();

    const api = new EmulatorApi(url);
    const reader = new Reader(url, () => consumer.process.evaluate<string[]>('soak.accounts'));
    const courses = new Map<string, Point[]>();
    const begun = performance.now();
    let worst = 0;
    let nextCut = cutting;
    const soaking = async () => {
      for (let round = 0; performance.now() - begun < duration; round++) {
        await pause(sampling - ((performance.now() - begun) % sampling));
        const view = views[round % views.length] ?? '';
        await page.getByRole('navigation').getByRole('link', { name: view }).click();
        worst = Math.max(worst, await api.lag());
        const at = (performance.now() - begun) / 1_000;
        const subjects = {
          emulator: emulator.process,
          consumer: consumer.process,
          page: new ShownPage(page),
        };
        for (const [name, subject] of Object.entries(subjects)) {
          for (const [figure, value] of Object.entries(await subject.sample())) {
            const key = `${name}: ${figure}`;
            courses.set(key, [...(courses.get(key) ?? []), { at, value }]);
          }
        }
        if (performance.now() - begun < nextCut) continue;
        nextCut += cutting;
        await api.post('/broker/connections/close');
      }
    };
    const ended = Promise.race([emulator.isEnded, consumer.isEnded]);
    await Promise.race([Promise.all([soaking(), reader.read(begun + duration)]), ended]);
    await api.post('/run/pause');
    const written = await Promise.race([api.consumed(), ended]);
    const seen = await consumer.process.evaluate<Seen>('soak');

    yield { case: 'events sent', ratio: written, unit: 'events' };
    yield { case: 'events a second', ratio: written / (duration / 1_000), unit: '/s' };
    yield { case: 'lost', ratio: written - (seen.settled - seen.redelivered), target: 0, unit: 'events' };
    yield { case: 'handled twice', ratio: seen.handledTwice, target: 0, unit: 'events' };
    yield { case: 'dead-lettered', ratio: seen.deadLettered, target: 0, unit: 'events' };
    yield { case: 'duplicates that the inbox skipped', ratio: seen.settled - seen.handled, unit: 'events' };
    yield { case: 'delivered again after a cut', ratio: seen.redelivered, unit: 'events' };
    yield { case: 'greatest lag', ratio: worst, unit: 'events' };
    yield { case: 'REST requests', ratio: reader.answered, unit: 'requests' };
    yield { case: 'of them failed', ratio: reader.failed, target: 0, unit: 'requests' };
    const perHour = written / (duration / 3_600_000);
    for (const [name, points] of courses) {
      yield* name === 'emulator: live memory' ? memoryRows(name, points, perHour) : trendRows(name, points);
    }
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** The growth of memory with each event, instead of with time. */
function* memoryRows(name: string, points: readonly Point[], perHour: number): Generator<Measured> {
  for (const { target: _target, ...row } of trendRows(name, points)) yield row;
  yield {
    case: `${name}, an event`,
    ratio: trendOf(points).perHour / perHour,
    unit: 'bytes',
    target: history,
  };
}

function* trendRows(name: string, points: readonly Point[]): Generator<Measured> {
  if (points.some(({ value }) => Number.isNaN(value))) return;
  const figure = name.replace(/^.*: /, '');
  const { level, ofSecondThird, perHour } = trendOf(points);
  const isMemory = figure.endsWith('memory');
  const [scale, unit] = isMemory ? [1 / 1024 ** 2, 'MB'] : [1, figure === 'CPU' ? 'cores' : 'of them'];
  const bound = bounds[figure];
  const course = points.map(({ at, value }) => [Math.round(at), Number((value * scale).toFixed(2))] as const);
  yield { case: name, ratio: level * scale, unit, course };
  yield {
    case: `${name}, growth`,
    ratio: ofSecondThird,
    ...(bound && { target: bound.ofSecondThird }),
  };
  yield {
    case: `${name}, slope`,
    ratio: perHour * scale,
    unit: `${unit}/h`,
    ...(bound && { target: bound.perHour * level * scale }),
  };
}

interface Seen {
  readonly settled: number;
  readonly redelivered: number;
  readonly deadLettered: number;
  readonly handled: number;
  readonly handledTwice: number;
}

/** Lets the broker drop old records early. */
async function limitLog(broker: string): Promise<void> {
  const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: ConfigResourceTypes.TOPIC,
        name: topic,
        configEntries: [{ name: 'retention.bytes', value: String(retention) }],
      },
    ],
  });
  await admin.disconnect();
}

/** Requests to the control API, as the dashboard sends them. */
class EmulatorApi {
  readonly #base: string;

  constructor(url: string) {
    this.#base = `${url}/emulator/v1`;
  }

  async post(path: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await request(this.#base + path, { method: 'POST', headers, body: '{}' });
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
  }

  async lag(): Promise<number> {
    return (await this.#consumers()).groups[0]?.lag ?? 0;
  }

  /** Returns the number of events in the topic, once the group has consumed all. */
  async consumed(): Promise<number> {
    for (;;) {
      const { groups, topics } = await this.#consumers();
      const written = topics.find(({ name }) => name === topic)?.written ?? 0;
      if (groups[0]?.lag === 0) return written;
      await pause(100);
    }
  }

  async #consumers() {
    const response = await request(`${this.#base}/consumers`);
    return (await response.json()) as {
      readonly groups: readonly { readonly lag: number }[];
      readonly topics: readonly { readonly name: string; readonly written: number }[];
    };
  }
}

/** Sends a request, once more if the server has just closed the kept connection, as it does after a pause. */
function request(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, init).catch(() => fetch(url, init));
}

/** Reads products, and accounts of recent events, from the REST API of the platform. */
class Reader {
  readonly #url: string;
  readonly #accounts: () => Promise<readonly string[]>;
  answered = 0;
  failed = 0;

  constructor(url: string, accounts: () => Promise<readonly string[]>) {
    this.#url = url;
    this.#accounts = accounts;
  }

  async read(until: number): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    while (performance.now() < until) {
      const known = (await this.#accounts()).filter((number) => number !== '');
      for (const path of ['products/?page_size=20', ...known.map((number) => `accounts/${number}/`)]) {
        const response = await request(`${this.#url}/v1/${path}`, { headers: { authorization } });
        await response.arrayBuffer();
        this.answered++;
        if (!response.ok) this.failed++;
        await pause(reading);
      }
    }
  }
}

/** The page of the dashboard and the process that renders it. */
class ShownPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async sample(): Promise<Sample> {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    await session.detach();
    const browser = await this.#page.context().browser()?.newBrowserCDPSession();
    const { processInfo = [] } = (await browser?.send('SystemInfo.getProcessInfo')) ?? {};
    await browser?.detach();
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    return {
      'resident memory': residentMemory(renderers),
      'live memory': of('JSHeapUsedSize'),
      'DOM nodes': of('Nodes'),
      'open files': renderers.reduce((sum, pid) => sum + openFiles(pid), 0),
    };
  }
}

/** Returns the bytes of processes; NaN where the system does not report them. */
function residentMemory(pids: readonly number[]): number {
  const pages = pids.map((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    } catch {
      return Number.NaN;
    }
  });
  return pages.reduce((sum, each) => sum + each, 0) * 4_096;
}

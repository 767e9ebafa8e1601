import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../test/browser/launch.js';
import { emulate } from './built.js';
import { type Measured, median } from './measure.js';

const perSecond = 5_000;
/** Time to watch the dashboard at full speed, in milliseconds. */
const watched = 10_000;
const paints = 9;

/** Numbers of received events between which the heap must stay flat. */
const heapSpan = [100_000, 200_000] as const;

/** Measures the dashboard in a browser: its load time, and its frames and its heap during a fast run. */
export async function* measure(): AsyncIterable<Measured> {
  const browser = await launchBrowser();
  const emulator = await start();
  try {
    const first: number[] = [];
    for (let round = 0; round < paints; round++) first.push(await firstPaint(browser, emulator.url));
    yield { case: 'first paint', ratio: median(first), target: 300, unit: 'ms' };

    const page = await browser.newPage();
    await page.goto(emulator.url);
    await page.getByTestId('events').waitFor();
    await browser.startTracing(page, { categories: ['toplevel'] });
    const seen = await page.evaluate<Seen>(watching);
    const longest = longestTask(await browser.stopTracing());
    yield { case: 'events sent', ratio: seen.sent / (watched / 1000), unit: '/s' };
    yield { case: 'of them received', ratio: seen.received / seen.sent, target: 0.95, atLeast: true };
    yield { case: 'frames', ratio: seen.frames / (watched / 1000), target: 50, unit: '/s', atLeast: true };
    yield { case: 'longest task, CPU', ratio: longest, target: 50, unit: 'ms' };

    const other = await browser.newPage();
    await other.goto(emulator.url);
    await other.getByTestId('events').waitFor();
    const both = await Promise.all([page, other].map((each) => each.evaluate<Seen>(watching)));
    const frames = Math.min(...both.map((each) => each.frames)) / (watched / 1000);
    yield { case: 'frames, two tabs', ratio: frames, target: 50, unit: '/s', atLeast: true };
    await other.close();

    const [first100, later] = [await heapAt(page, heapSpan[0]), await heapAt(page, heapSpan[1])];
    yield { case: 'heap at 200,000 events', ratio: later / 1024 ** 2, unit: 'MB' };
    yield { case: 'of that at 100,000', ratio: later / first100, target: 1.1 };
  } finally {
    emulator.stop();
    await browser.close();
  }
}

interface Seen {
  readonly frames: number;
  readonly sent: number;
  readonly received: number;
}

/** Returns the longest task of a page's main thread in a trace, in milliseconds of its CPU time. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threads = traceEvents.filter(({ args }) => args?.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) =>
      name.endsWith('RunTask') && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const received = `const received = () =>
  Number(document.querySelector('[data-testid=received]').textContent.replaceAll(',', ''));`;

const watching = `(async () => {
  ${received}
  const sent = async () => (await (await fetch('/emulator/v1/run')).json()).events;
  const before = { sent: await sent(), received: received() };
  const begun = performance.now();
  let frames = 0;
  await new Promise((resolve) => requestAnimationFrame(function next() {
    frames++;
    if (performance.now() - begun < ${watched}) requestAnimationFrame(next);
    else resolve();
  }));
  return { frames, sent: (await sent()) - before.sent, received: received() - before.received };
})()`;

/** Returns the bytes that the page uses when it has received as many events, without garbage. */
async function heapAt(page: Page, events: number): Promise<number> {
  await page.evaluate(`(async () => {
    ${received}
    while (received() < ${events}) await new Promise(requestAnimationFrame);
  })()`);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page: Page = await context.newPage();
  await page.goto(url);
  await page.locator('.row').first().waitFor();
  const [paint] = await page.evaluate<number[]>(
    `performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime)`,
  );
  await context.close();
  return paint ?? Number.NaN;
}

/** Starts the command in a child process, with an endless run. */
async function start() {
  const options = [
    '--scenario',
    'everyday',
    '--accounts',
    '100000',
    '--rate',
    `${perSecond}/s`,
    '--kafka-port',
    'off',
  ];
  const child = spawn(process.execPath, [emulate, ...options, '--http-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let url: string | undefined;
  while (url === undefined) {
    const [text] = (await once(child.stderr, 'data')) as [Buffer];
    said += text.toString();
    url = /Dashboard +(\S+)/.exec(said)?.[1];
  }
  child.stderr.resume();
  return { url, stop: () => child.kill() };
}

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

/** Measures the dashboard in a browser: its load time, and its frames during a fast run. */
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
    const seen = await page.evaluate<Seen>(watching);
    yield { case: 'events sent', ratio: seen.sent / (watched / 1000), unit: '/s' };
    yield { case: 'of them received', ratio: seen.received / seen.sent, target: 0.95, atLeast: true };
    yield { case: 'frames', ratio: seen.frames / (watched / 1000), target: 50, unit: '/s', atLeast: true };
    yield { case: 'longest task', ratio: seen.longest, target: 100, unit: 'ms' };
  } finally {
    emulator.stop();
    await browser.close();
  }
}

interface Seen {
  readonly frames: number;
  readonly sent: number;
  readonly received: number;
  /** Longest task, in milliseconds; 0 if no task took 50 or more. */
  readonly longest: number;
}

const watching = `(async () => {
  const sent = async () => (await (await fetch('/emulator/v1/run')).json()).events;
  const received = () => Number(document.querySelector('[data-testid=received]').textContent.replaceAll(',', ''));
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ entryTypes: ['longtask'] });
  const before = { sent: await sent(), received: received() };
  const begun = performance.now();
  let frames = 0;
  await new Promise((resolve) => requestAnimationFrame(function next() {
    frames++;
    if (performance.now() - begun < ${watched}) requestAnimationFrame(next);
    else resolve();
  }));
  return { frames, longest, sent: (await sent()) - before.sent, received: received() - before.received };
})()`;

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

import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';

/** The real emulator on free ports, without a broker, stopped after the test. */
export async function emulator(options: EmulatorOptions): Promise<Emulator & { readonly url: string }> {
  const started = await startEmulator({ kafkaPort: false, httpPort: 0, logger: silentLogger, ...options });
  onTestFinished(() => started.stop());
  return { ...started, url: started.url! };
}

export interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** What the browser may complain about. */
  readonly expected?: RegExp;
}

/** The page in a browser context of its own. Whatever it complains about fails the test. */
export async function openPage(browser: Browser, address: string, options: OpenOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
  });
  // However long it takes: the limit of the test ends what hangs.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // What the browser itself says about an emulator that is gone is no fault of the page.
    const isExpected = (options.expected ?? /net::ERR_(CONNECTION|SOCKET)_/).test(message.text());
    if (message.type() === 'error' && !isExpected) {
      complaints.push(message.text());
    }
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return page;
}

/** Waits until an element says that. */
export async function untilText(page: Page, testId: string, text: string | RegExp): Promise<void> {
  await page.getByTestId(testId).filter({ hasText: text }).waitFor();
}

/** Waits until there are rows, and each has that text. */
export async function untilRows(page: Page, text: string): Promise<void> {
  await page.getByTestId('events').getByRole('option').first().waitFor();
  await expect.poll(async () => (await rowsOf(page)).filter((row) => !row.includes(text))).toEqual([]);
}

/** Types of the events on the screen, newest first. */
export async function rowsOf(page: Page): Promise<string[]> {
  const rows = await page.evaluate<{ top: number; text: string }[]>(`
    Array.from(document.querySelectorAll('[data-testid=events] [role=option]'), (row) => ({
      top: new DOMMatrix(getComputedStyle(row).transform).m42,
      text: row.textContent,
    }))`);
  return rows.sort((one, other) => one.top - other.top).map(({ text }) => text);
}

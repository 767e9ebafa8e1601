import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { sharedBrowser } from '../../browser/shared.js';

/** Options of a short run. */
export const move = { scenario: 'house-move', seed: 3 } as const;
export const paused = { ...move, run: { paused: true } } as const;

/** Starts an emulator without a broker, which sends its events at once, and stops it after the test. */
export async function emulator(options: EmulatorOptions = {}): Promise<Emulator & { readonly url: string }> {
  const started = await startEmulator({
    kafka: false,
    http: { port: 0 },
    speed: 'instant',
    logger: silentLogger,
    ...options,
  });
  onTestFinished(() => started.stop());
  return { ...started, url: started.url! };
}

export interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Default: that of this process. */
  readonly timezoneId?: string;
  /** Pattern of expected browser errors. */
  readonly expected?: RegExp;
}

/** Opens the dashboard in its own browser context. Unexpected browser errors fail the test. */
export async function openPage(address: string, options: OpenOptions = {}): Promise<Page> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
    ...(options.timezoneId !== undefined && { timezoneId: options.timezoneId }),
  });
  // No timeout of its own: the test has one.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // Network errors of a stopped emulator are expected.
    const isExpected = (options.expected ?? /net::ERR_(CONNECTION_|SOCKET_|EMPTY_RESPONSE)/).test(
      message.text(),
    );
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

/** Returns the speed of the run. */
export async function speedOf(url: string): Promise<unknown> {
  return ((await (await fetch(`${url}/emulator/v1/run`)).json()) as { speed: unknown }).speed;
}

/** Waits until an element has the text. */
export async function untilText(page: Page, testId: string, text: string | RegExp): Promise<void> {
  await page.getByTestId(testId).filter({ hasText: text }).waitFor();
}

/** Waits until the list has rows, each with the text. */
export async function untilRows(page: Page, text: string): Promise<void> {
  await page.getByTestId('events').getByRole('option').first().waitFor();
  await expect.poll(async () => (await rowsOf(page)).filter((row) => !row.includes(text))).toEqual([]);
}

/** Returns the texts of the visible rows, the newest event first. */
export async function rowsOf(page: Page): Promise<string[]> {
  const rows = await page.evaluate<{ top: number; text: string }[]>(`
    Array.from(document.querySelectorAll('[data-testid=events] [role=option]'), (row) => ({
      top: new DOMMatrix(getComputedStyle(row).transform).m42,
      text: row.textContent,
    }))`);
  return rows.sort((one, other) => one.top - other.top).map(({ text }) => text);
}

/** Counts clicks, choices and submitted inputs. */
export function actionsOn(page: Page) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async click(role: 'button' | 'link' | 'slider', name: string | RegExp) {
      count++;
      await page.getByRole(role, { name }).first().click();
    },
    async choose(label: string, option: string) {
      count++;
      await page.getByLabel(label).first().selectOption(option);
    },
    async enter(label: string, text: string) {
      count++;
      await page.getByLabel(label, { exact: true }).fill(text);
    },
  };
}

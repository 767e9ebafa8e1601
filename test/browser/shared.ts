import { AsyncLocalStorage } from 'node:async_hooks';
import type { Browser } from 'playwright-core';
import { onTestFinished, vi } from 'vitest';
import { launchBrowser } from './launch.js';

interface Shared {
  readonly browser: Browser;
  /** Playwright follows its calls in these. */
  readonly storages: readonly AsyncLocalStorage<unknown>[];
}

let shared: Promise<Shared> | undefined;

/** The browser of all test files that this process runs. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  const { browser, storages } = await (shared ??= launch());
  // Otherwise each promise of later tests would take three times as long.
  onTestFinished(() => storages.forEach((storage) => storage.disable()));
  return browser;
}

async function launch(): Promise<Shared> {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
  const browser = await launchBrowser();
  const storages = [...new Set(run.mock.contexts as AsyncLocalStorage<unknown>[])];
  run.mockRestore();
  return { browser, storages };
}

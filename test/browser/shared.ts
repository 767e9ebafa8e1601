import type { Browser } from 'playwright-core';
import { launchBrowser } from './launch.js';

let shared: Promise<Browser> | undefined;

/** The browser of all test files that this process runs. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

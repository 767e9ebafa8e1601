import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.js';

/** A headless browser; whoever starts it closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executable, environment } = findChromium();
  return chromium.launch({
    executablePath: executable,
    env: { ...process.env, ...environment },
    timeout: 0,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--js-flags=--expose-gc',
    ],
  });
}

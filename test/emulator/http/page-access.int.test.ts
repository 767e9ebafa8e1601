import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';

// `npm run build` writes the page.
it('sends the page to a browser with the cookie, and no token in the page', async () => {
  const emulator = await startEmulator({
    scenario: 'house-move',
    speed: 'instant',
    kafka: false,
    http: { port: 0, host: '0.0.0.0', insecure: true },
    logger: silentLogger,
  });
  onTestFinished(() => emulator.stop());
  const arrived = await fetch(emulator.pageUrl!, { redirect: 'manual' });
  const [cookie = ''] = arrived.headers.get('set-cookie')!.split(';');
  const page = await fetch(emulator.url!, { headers: { accept: 'text/html', cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain(cookie.split('=')[1]);
});

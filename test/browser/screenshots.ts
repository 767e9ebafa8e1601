/**
 * `npm run screenshots`: the pictures of the documentation, in `docs/images`. With a folder, `npm run screenshots -- FOLDER`:
 * every view, light and dark, in three widths, to look at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../emulator/index.js';
import { silentLogger } from '../../src/base/logger.js';
import { views } from '../emulator/dashboard/views.js';
import { launchBrowser } from './launch.js';

/** Views with a picture in the documentation. */
const documented = ['live', 'event', 'journey', 'consumers'];

const [given] = process.argv.slice(2);
const folder = given ?? join(import.meta.dirname, '../../docs/images');
mkdirSync(folder, { recursive: true });
const wanted = views.filter(({ name }) => given !== undefined || documented.includes(name));
const colorSchemes = given === undefined ? (['light'] as const) : (['light', 'dark'] as const);
const widths = given === undefined ? [1280] : [1920, 1280, 400];
const browser = await launchBrowser();
try {
  for (const { name, options, address, shown, company, history, steps = 60 } of wanted) {
    const emulator = await startEmulator({
      kafka: false,
      ...options,
      speed: 'instant',
      run: { paused: true },
      http: { port: 0 },
      logger: silentLogger,
    });
    emulator.run.step(steps);
    const leave = await company?.(emulator);
    for (const colorScheme of colorSchemes) {
      for (const width of widths) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        const page = await context.newPage();
        const timeline = page.waitForResponse(/dashboard\/timeline/);
        await page.goto(`${emulator.url}${address}`);
        await timeline;
        await page.getByTestId('now').waitFor();
        await page.locator(shown).first().waitFor();
        await history?.(emulator);
        // Fonts and the last frame.
        await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
        await context.close();
      }
    }
    await leave?.();
    await emulator.stop();
  }
} finally {
  await browser.close();
}

import { expect, it } from 'vitest';
import { serve } from '../platform-api/serve.js';

// `npm run build` writes the page.
it('sends the page to a browser with the cookie, and no token in the page', async () => {
  const { emulator } = await serve({ http: { host: '0.0.0.0', insecure: true } });
  const arrived = await fetch(emulator.pageUrl!, { redirect: 'manual' });
  const [cookie = ''] = arrived.headers.get('set-cookie')!.split(';');
  const page = await fetch(emulator.url!, { headers: { accept: 'text/html', cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain(cookie.split('=')[1]);
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Response, Router } from 'express';
import { express } from '../http/express.js';

/**
 * The policy of the dashboard: it loads and connects to this server only. It allows no inline script or style, no
 * framing, and no text that becomes HTML (`require-trusted-types-for`): payloads are shown, never run.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Output folder of `npm run build`, for code in `dist` and in the sources. */
const folder = join(
  dirname(createRequire(import.meta.url).resolve('busbar-emulator/package.json')),
  'dist/dashboard/client',
);

/** Serves the built dashboard: its document at `/` to clients that prefer HTML, its assets under `/dashboard/assets/`. */
export function addPage(router: Router): void {
  router.get('/', (request, response, next) => {
    if (request.accepts(['text', 'html']) !== 'html') {
      next();
      return;
    }
    setHeaders(response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept' }));
    response.type('html').send(readFileSync(join(folder, 'index.html')));
  });
  // The names contain a hash of the content.
  const kept = { immutable: true, maxAge: '1y', index: false, redirect: false } as const;
  router.use('/dashboard/assets', express.static(join(folder, 'assets'), { ...kept, setHeaders }));
}

function setHeaders(response: Response): void {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

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

/**
 * Serves the built dashboard: its document at `/` to clients that prefer HTML, its assets under `/dashboard/assets/`.
 * The first request reads all files, so no requested path reaches the file system.
 */
export function pageHandler(): RequestHandler {
  let files: ReadonlyMap<string, File> | undefined;
  return (request, response, next) => {
    const wantsPage = request.path === '/' && request.accepts(['text', 'html']) === 'html';
    const path = wantsPage ? '/dashboard/index.html' : request.path;
    if (!wantsPage && !path.startsWith('/dashboard/assets/')) {
      next();
      return;
    }
    files ??= readFiles();
    const file = files.get(path);
    if (file === undefined) next();
    else send(file, request, response);
  };
}

interface File {
  readonly body: Buffer;
  readonly zipped: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Whether the name contains a hash of the content. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Output folder of `npm run build`, for code in `dist` and in the sources. */
const folder = join(
  dirname(createRequire(import.meta.url).resolve('busbar-emulator/package.json')),
  'dist/dashboard/client',
);

function readFiles(): ReadonlyMap<string, File> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)];
      if (type === undefined) return [];
      const body = readFileSync(join(folder, name));
      const path = `/dashboard/${name.replaceAll('\\', '/')}`;
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
      const isImmutable = path.startsWith('/dashboard/assets/');
      return [[path, { body, zipped: gzipSync(body, { level: 9 }), type, etag, isImmutable }]];
    }),
  );
}

function send(file: File, request: Request, response: Response): void {
  const { body, zipped, type, etag, isImmutable } = file;
  response.set({
    'Content-Type': type,
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept, Accept-Encoding',
  });
  if (request.fresh) response.status(304).end();
  else if (request.acceptsEncodings(['gzip', 'identity']) === 'gzip') {
    response.set('Content-Encoding', 'gzip').end(zipped);
  } else response.end(body);
}

import { createHash } from 'node:crypto';

/** Adds a policy to a page: the browser loads nothing from other hosts and runs no script but those of the site. */
export function withSecurityPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => {
      return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
    },
  );
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...new Set(inline)].join(' ')}`,
    // Highlighted code has its colours in attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace('<meta charset="utf-8">', (charset) => `${charset}\n    ${tag}`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the links of a built site that lead to no page, or to no heading of a page. */
export function deadLinks(folder: string): string[] {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html'))
      .map((path) => [`/${path.replaceAll('\\', '/')}`, readFileSync(join(folder, path), 'utf8')]),
  );
  const anchors = new Map(
    [...pages].map(([path, html]) => [path, new Set(valuesOf(html, /\sid="([^"]*)"/g))]),
  );
  const isDead = (from: string, target: string): boolean => {
    const { origin, pathname, hash } = new URL(target, `http://site${from}`);
    if (origin !== 'http://site') return false;
    const found = anchors.get(decodeURIComponent(pathname.replace(/\/$/, '/index.html')));
    return found === undefined || (hash !== '' && !found.has(decodeURIComponent(hash.slice(1))));
  };
  return [...pages].flatMap(([from, html]) =>
    [...new Set(valuesOf(html, /<a\s[^>]*?href="([^"]*)"/g))]
      .filter((target) => isDead(from, target))
      .map((target) => `${from} -> ${target}`),
  );
}

function valuesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
  );
}

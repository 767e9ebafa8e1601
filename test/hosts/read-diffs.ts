import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages } from '../read-blocks.js';
import { root } from '../read-sources.js';

/** A service of a page in `docs/guides/hosts`, before and after the change that the page shows. */
export interface HostDiff {
  /** Page and heading, for example `kafkajs, eachBatch`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Number of added and removed lines. */
  readonly changed: number;
}

/** The pages of hosts, by paths from the root. */
export const hostPages = pages.filter((page) => page.includes('/hosts/'));

/** Returns the diffs of all pages. Each shows the whole service. */
export function hostDiffs(): HostDiff[] {
  return hostPages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    return [...text.matchAll(/^```diff\n([^]*?)^```$/gm)].map((match) => {
      const lines = match[1]!.split('\n').slice(0, -1);
      const heading = [...text.slice(0, match.index).matchAll(/^## (.*)$/gm)].at(-1)?.[1];
      const host = page.slice(page.lastIndexOf('/') + 1, -'.md'.length);
      return {
        name: heading === undefined ? host : `${host}, ${heading}`,
        before: without('+', lines),
        after: without('-', lines),
        changed: lines.filter((line) => /^[+-]/.test(line)).length,
      };
    });
  });
}

function without(sign: '+' | '-', lines: readonly string[]): string {
  return lines
    .filter((line) => !line.startsWith(sign))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}

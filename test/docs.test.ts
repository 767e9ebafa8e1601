import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import budgets from '../docs/.vitepress/budgets.json' with { type: 'json' };
import { pages } from './read-blocks.js';
import { root } from './read-sources.js';

/** Words outside code that all pages together may have. */
const most = 20_000;

describe('the pages of the site', () => {
  it('keep to their numbers of words', () => {
    const over = pages.filter(isWritten).flatMap((page) => {
      const words = wordsIn(readFileSync(join(root, page), 'utf8'));
      const budget = budgetOf(page);
      return words > budget
        ? [`${page}: ${words} words, at most ${budget} (docs/.vitepress/budgets.json)`]
        : [];
    });
    expect(over).toEqual([]);
  });

  it('allow at most 20,000 words together', () => {
    const all = Object.values(budgets).reduce((sum, words) => sum + words);
    expect(all).toBeLessThanOrEqual(most);
  });
});

/** Whether we write the page by hand, for the site. */
function isWritten(page: string): boolean {
  const isOfSite = page.startsWith('docs/') && !/^docs\/(decisions\/|api\.md)/.test(page);
  return isOfSite && !/^<!-- (Written|Generated)/.test(readFileSync(join(root, page), 'utf8'));
}

/** Returns the budget of a page; none for a page that the table lacks. */
function budgetOf(page: string): number {
  return (budgets as Readonly<Record<string, number>>)[page.slice('docs/'.length)] ?? 0;
}

/** Counts words outside code, and outside tables that `npm run bench` writes. Bars of tables and the front matter are not words. */
function wordsIn(page: string): number {
  const prose = page
    .replace(/^---\n[^]*?\n---\n/, '')
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/^\| Case \| Figure [^]*?\n\n/gm, '');
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

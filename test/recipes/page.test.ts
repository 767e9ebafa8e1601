import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRecipes } from './page.js';
import { applyEdit } from './recipe.js';
import { recipes } from './recipes.js';

const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
const written = readRecipes(page);

describe('the recipes of CONTRIBUTING.md', () => {
  it('each match a change that npm run test:recipes makes', () => {
    expect(written.recipes.map(({ title }) => title)).toEqual(recipes.map(({ title }) => title));
  });

  it.each(written.recipes)(
    '$title: takes at most five lines and names its commands',
    ({ title, commands }) => {
      const paragraph = page.split('\n\n').find((each) => each.startsWith(`**${title}.**`)) ?? '';
      expect(paragraph.trim().split('\n').length).toBeLessThanOrEqual(5);
      expect(commands).not.toEqual([]);
    },
  );

  it('share the commands that every change needs', () => {
    expect(written.common).toContain('npm run types');
  });
});

describe('an edit of a recipe', () => {
  const edit = { file: 'a.ts', line: 'two', insert: '\n  new\n' };

  it('inserts lines next to a line, or instead of it', () => {
    expect(applyEdit('one\n  two\n', edit)).toBe('one\n  two\n  new\n');
    expect(applyEdit('one\n  two\n', { ...edit, where: 'before' })).toBe('one\n  new\n  two\n');
    expect(applyEdit('one\n  two\n', { ...edit, where: 'instead' })).toBe('one\n  new\n');
  });

  it('rejects a line that the file lacks or has twice', () => {
    expect(() => applyEdit('one\n', edit)).toThrow('a.ts has 0 lines that start with "two".');
    expect(() => applyEdit('two\ntwo\n', edit)).toThrow('a.ts has 2 lines');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ceilings from './prose-ceilings.json' with { type: 'json' };
import { proseFiles, testNames } from './read-prose.js';
import { root } from './read-sources.js';

/** Lines in which a phrase was found, at most; they only fall. Better text lowers its number. */
const counted = Object.entries(ceilings.phrases);

const names = testNames();
const files = proseFiles().map((file) => readFileSync(join(root, file), 'utf8').split('\n'));
const count = (pattern: RegExp) =>
  files.reduce((sum, lines) => sum + lines.filter((line) => pattern.test(line)).length, 0);

/** Fails with what to do: the count must not rise, and the ceiling falls with it. */
function expectAt(found: number, ceiling: number, what: string): void {
  if (found > ceiling)
    expect.fail(`${what}: ${found} lines, at most ${ceiling}. Write the new ones in another way.`);
  if (found < ceiling)
    expect.fail(
      `${what}: ${found} lines. Lower the ceiling in test/prose-ceilings.json from ${ceiling} to ${found}.`,
    );
}

describe('prose', () => {
  it.each(counted)('uses %s in no more lines than before', (pattern, ceiling) => {
    expectAt(count(new RegExp(pattern, 'i')), ceiling, pattern);
  });

  it('names tests in at most 80 characters', () => {
    const long = names.filter((name) => name.length > 80);
    expectAt(long.length, ceilings.longTestNames, 'Test names over 80 characters');
  });

  it('names tests by sentences in the third person', () => {
    const other = names.filter((name) => /^(is|are|has|have|that|of|may)\b/.test(name));
    expectAt(
      other.length,
      ceilings.testNamesWithoutVerb,
      'Test names that begin with is, are, has, that, of or may',
    );
  });
});

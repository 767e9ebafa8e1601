import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './read-sources.js';

const page = readFileSync(join(root, 'docs/explanation/threat-model.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| [A-Z]/.test(line));
const links = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(test\/[^)]+)\)/g)];

describe('the threat model', () => {
  it('links each protection to a test', () => {
    const threats = rows.filter((row) => row.split('|').length === 5 && !/^\| (Threat|Input) /.test(row));
    const [fuzzed, protectedFrom] = [/^\|[^|]*\|[^|]*\| (`npm run test:fuzz|\|)/, /\]\(\.\.\/\.\.\/test\//];
    const unproven = threats.filter((row) => !fuzzed.test(row) && !protectedFrom.test(row));
    expect(unproven).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  });

  it('names tests that exist', () => {
    const missing = links.filter(([, title = '', file = '']) => {
      const path = join(root, file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(`('${title}'`);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});

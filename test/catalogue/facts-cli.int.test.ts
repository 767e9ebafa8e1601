import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { counts } from './counts.js';
import { differencesOf } from './differences.js';
import { readSpecification } from './read-specification.js';
import { factLines } from './resolve-facts.js';
import { repository, runNode } from './run-node.js';

const text = readFileSync(join(repository, 'test/catalogue/facts.txt'), 'utf8');
const facts = factLines(text);
/** A document with the facts as its bullets. */
const document = facts.map((line) => (line.startsWith('##') ? `### ${title(line)}` : `- ${line}`)).join('\n');

function title(heading: string): string {
  return heading === '## shapes' ? 'Shared shapes' : heading.slice(3);
}

it('npm run facts prints the counts and the lines that differ', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-facts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'specification.md');
  writeFileSync(path, `${document}\n- account.lost v1: account_number`);
  const { code, stdout } = await runNode('--import', 'tsx', 'test/catalogue/facts-cli.ts', '--spec', path);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `${counts.types} event types, ${counts.versions} event versions, ${counts.shapes} shapes`,
  );
  expect(stdout).toContain('\n+ account.lost v1: account_number\n');
});

describe('the comparison of facts', () => {
  it('agrees with a document that holds the same entries', () => {
    expect(differencesOf(text, document)).toBeUndefined();
  });

  it('returns the lines that differ', () => {
    const changed = document.replace(
      'account.occupied v1: account_number*',
      'account.occupied v1: account_number',
    );
    expect(differencesOf(text, changed)).toContain(
      '+ account.occupied v1: account_number\n- account.occupied v1: account_number*\n',
    );
  });

  it('notices another order', () => {
    const lines = document.split('\n');
    const changed = [...lines.slice(0, -2), lines.at(-1), lines.at(-2)].join('\n');
    expect(differencesOf(text, changed)).toContain('in another order');
  });
});

describe('the reader of the specification', () => {
  it('removes Markdown from bullets, and applies headings to their bullets', () => {
    const entries = readSpecification(
      [
        '### Notation',
        '- not an entry',
        '### Shared shapes',
        '- **Point** (all optional): x:i, y [string]',
        '### Events',
        '- `a.b` v1 and `.c` v1: x*',
        'Some dispute events (all v1, payload Point):',
        '- `d.e`',
        'Other dispute events (v1):',
        '- `f.g`: payload Point.',
        '- `h.i`: the fields from x* to y* of Point are listed. Further ones: not shown.',
      ].join('\n'),
    );
    expect(entries).toEqual([
      '##',
      'Point: x:i, y [string]',
      '##',
      'a.b v1 and .c v1: x*',
      'd.e v1: payload Point',
      'f.g v1: payload Point',
      'h.i v1: the fields from x* to y* of Point',
    ]);
  });
});

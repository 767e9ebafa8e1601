import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counts } from './counts.js';
import { readSpecification } from './read-specification.js';
import { factLines } from './resolve-facts.js';
import { repository, runNode } from './run-node.js';

const facts = factLines(readFileSync(join(repository, 'test/catalogue/facts.txt'), 'utf8'));
/** A document with the facts as its bullets. */
const document = facts.map((line) => (line.startsWith('##') ? `### ${title(line)}` : `- ${line}`)).join('\n');

function title(heading: string): string {
  return heading === '## shapes' ? 'Shared shapes' : heading.slice(3);
}

describe('npm run facts', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-facts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (text: string) => {
    writeFileSync(join(folder, 'specification.md'), text);
    return runNode(
      '--import',
      'tsx',
      'test/catalogue/facts-cli.ts',
      '--spec',
      join(folder, 'specification.md'),
    );
  };

  it('prints its usage', async () => {
    const { code, stdout } = await runNode('--import', 'tsx', 'test/catalogue/facts-cli.ts');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${counts.types} event types, ${counts.versions} event versions, ${counts.shapes} shapes`,
    );
    expect(stdout).toContain('npm run facts -- --spec');
  });

  it('agrees with a document that holds the same entries', async () => {
    expect(await run(document)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`All ${facts.length} lines`),
    });
  });

  it('prints the lines that differ', async () => {
    const { code, stdout } = await run(
      document.replace('account.occupied v1: account_number*', 'account.occupied v1: account_number'),
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      '+ account.occupied v1: account_number\n- account.occupied v1: account_number*\n',
    );
  });

  it('notices another order', async () => {
    const lines = document.split('\n');
    expect(await run([...lines.slice(0, -2), lines.at(-1), lines.at(-2)].join('\n'))).toMatchObject({
      code: 1,
    });
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

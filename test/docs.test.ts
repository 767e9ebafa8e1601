import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type commands, run } from './command.js';
import { expectToCompile } from './compile.js';

const root = new URL('..', import.meta.url).pathname;
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pagesIn('docs')];

interface Block {
  readonly where: string;
  readonly code: string;
}

const blocks = (language: string): Block[] =>
  documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map((match) => ({
      where: `${document}:${text.slice(0, match.index).split('\n').length}`,
      code: match[1] ?? '',
    }));
  });

describe('the documentation', () => {
  it('has TypeScript that compiles', () => {
    const sources = Object.fromEntries(blocks('ts').map(({ where, code }) => [where, code]));
    expect(Object.keys(sources).length).toBeGreaterThan(0);
    expectToCompile(sources);
  }, 180_000);

  const ownCommands = blocks('sh').flatMap(({ where, code }) =>
    code
      .split('\n')
      .map((line) => /^npx (emulate|busbar) ([^#]*)/.exec(line))
      .filter((match) => match !== null)
      // What serves until it is stopped is started by other tests.
      .filter(([, command, args]) => command === 'busbar' || args?.includes('--to stdout'))
      .map(
        ([, command, args]) =>
          [where, command as keyof typeof commands, args?.trim().split(/\s+/) ?? []] as const,
      ),
  );
  it.each(ownCommands)('has a command at %s that works: %s %j', async (_where, command, args) => {
    const { code, stdout } = await run(command, args);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
  });

  it('links only to what exists', () => {
    for (const document of documents) {
      const text = readFileSync(join(root, document), 'utf8').replaceAll(/```[^]*?```/g, '');
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        const path = join(root, document, '..', target ?? '');
        expect(existsSync(path), `${document} -> ${target}`).toBe(true);
      }
    }
  });

  it('keeps the README short, with the two lines at its top and code by line 25', () => {
    const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
    expect(lines.length).toBeLessThan(150);
    expect(lines.slice(0, 6).join('\n')).toMatch(/npm ci && npm start.*\n.*npm ci && npm test/);
    expect(lines.indexOf('```ts')).toBeLessThan(25);
  });
});

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

import { describe, expect, it } from 'vitest';
import { type ApiItem, publicApi } from './api-report.js';

const api = publicApi();

const table = (items: readonly ApiItem[]) => [
  '| name | kind | |',
  '|---|---|---|',
  ...items.map(({ name, kind, summary }) => `| \`${name}\` | ${kind} | ${summary.replaceAll('|', '\\|')} |`),
];

const page = [
  '<!-- Written from the sources: npx vitest run test/api.test.ts -u; do not edit. -->',
  '',
  '# Public API',
  '',
  'What each entry point exports, with the first sentence of its documentation: your editor shows the rest. The types that',
  'are generated from the catalogue are not listed. `busbar/base` and `busbar/internal/` are not public.',
  '[Stability](reference/stability.md) says what may change.',
  ...[...api].flatMap(([entry, items]) => ['', `## ${entry}`, '', ...table(items)]),
  '',
].join('\n');

const report = [
  'The declarations of the public API. A difference is a change that users see: accept it with',
  '"npx vitest run test/api.test.ts -u", and write it down in CHANGELOG.md.',
  ...[...api].flatMap(([entry, items]) => [
    '',
    `=== ${entry}`,
    '',
    ...items.map(({ declaration }) => declaration),
  ]),
  '',
].join('\n');

describe('the public API', () => {
  it('matches the report in git', async () => {
    await expect(report).toMatchFileSnapshot('api-report.txt');
  });

  it('appears on one page', async () => {
    await expect(page).toMatchFileSnapshot('../docs/api.md');
  });

  it('carries a docstring on every function and class', () => {
    const bare = [...api].flatMap(([entry, items]) =>
      items
        .filter(({ kind, summary }) => summary === '' && (kind === 'function' || kind === 'class'))
        .map(({ name }) => `${entry}: ${name}`),
    );
    expect(bare).toEqual([]);
  });
});

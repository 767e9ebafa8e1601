import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../command.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-config-')));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

/** Returns a folder of its own with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(folders++));
  for (const [name, text] of Object.entries({ '.keep': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs a command in a folder. */
async function runIn(folder: string, ...[command, args]: Parameters<typeof run>) {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await run(command, args);
  } finally {
    process.chdir(before);
  }
}

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
  readonly from: string;
}

/** Returns the printed settings by flag. */
async function settings(folder: string, ...[command, args]: Parameters<typeof run>) {
  const { code, stdout, stderr } = await runIn(folder, command, [...args, '--print-config', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return Object.fromEntries((JSON.parse(stdout) as Row[]).map(({ name, ...row }) => [name, row]));
}

describe('the configuration file', () => {
  it.each(['js', 'mjs', 'json'])('is read as busbar.config.%s in a folder above', async (extension) => {
    const values = '{ "catalogue": "./events" }';
    const text = extension === 'json' ? values : `export default ${values};`;
    const folder = folderWith({
      [`busbar.config.${extension}`]: text,
      'package.json': '{ "type": "module" }',
      'a/b/.keep': '',
    });
    const { catalogue } = await settings(join(folder, 'a/b'), 'busbar', ['catalogue', 'list']);
    expect(catalogue).toEqual({
      value: [join(folder, 'events')],
      origin: 'file',
      from: `${join('..', '..', `busbar.config.${extension}`)}: catalogue`,
    });
  });

  it('is the one that --config names', async () => {
    const folder = folderWith({ 'busbar.config.json': '{}', 'other.json': '{ "catalogue": ["a", "b"] }' });
    const named = await settings(folder, 'busbar', ['--config', 'other.json', 'catalogue', 'list']);
    expect(named['catalogue']).toEqual({ value: ['a', 'b'], origin: 'file', from: 'other.json: catalogue' });
  });

  it.each([
    ['an unknown key', '{ "catalog": "x" }', 'there is no option "catalog". Did you mean "catalogue"?'],
    [
      'an unknown key within',
      '{ "consumer": { "strct": true } }',
      'there is no option "consumer.strct". Did you mean "strict"?',
    ],
    [
      'another type',
      '{ "consumer": { "retry": { "attempts": "x" } } }',
      '"consumer.retry.attempts" must be ',
    ],
    ['a list', '[]', 'the options must be an object, not an empty list.'],
    ['a syntax error', '{ "kafka": { "sasl": "secret" ', 'It is not JSON'],
  ])('is rejected in one line for %s', async (_, text, message) => {
    const { code, stdout, stderr } = await runIn(folderWith({ 'busbar.config.json': text }), 'busbar', [
      'catalogue',
      'list',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^busbar: Configuration file "busbar.config.json": [^\n]*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });

  it('is rejected next to a second one', async () => {
    const folder = folderWith({ 'busbar.config.json': '{}', 'busbar.config.mjs': 'export default {}' });
    const { code, stderr } = await runIn(folder, 'busbar', ['catalogue', 'list']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `busbar: Folder "${folder}" has "busbar.config.mjs" and "busbar.config.json". Remove one of them.\n`,
    });
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../command.js';
import { repository, runNode } from '../run-node.js';

const tariff = (price: unknown, required: readonly string[]) => ({
  'x-event-type': 'tariff.changed',
  'x-event-version': 'v1',
  'x-busbar-key': 'tariff',
  type: 'object',
  properties: {
    code: { type: 'string' },
    price: { type: price },
    account: { $ref: '#/$defs/BillingAccount' },
  },
  required,
});

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-diff-'));
  for (const name of ['old', 'new']) await mkdir(at(name));
  await writeFile(at('old/tariff.json'), JSON.stringify(tariff('integer', ['code', 'price'])));
  await writeFile(at('new/tariff.json'), JSON.stringify(tariff(['integer', 'null'], ['price'])));
  const library = pathToFileURL(join(repository, 'dist')).href;
  await writeFile(
    at('consumer.mjs'),
    `import { createConsumer } from '${library}/src/index.js';
import { loadCatalogue } from '${library}/catalogue/index.js';

const catalogue = await loadCatalogue([${JSON.stringify(at('old'))}]);
export const consumer = createConsumer({ catalogue });
consumer.on('tariff.changed', 'v1', ({ payload }) => {
  process.stdout.write('price ' + typeof payload.price + '\\n');
}, { name: 'prices' });
export const contract = { catalogue };
`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

const diff = (...args: string[]) => run('busbar', ['catalogue', 'diff', ...args]);

describe('busbar catalogue diff', () => {
  it('prints each difference, and exits with 1 when consumers break', async () => {
    expect(await diff(at('old'), at('new'))).toEqual({
      code: 1,
      stderr: '',
      stdout: `Breaks     Event or shape     Field   Change                              Handlers
consumers  tariff.changed-v1  /code   optional instead of required
consumers  tariff.changed-v1  /price  integer or null instead of integer

Differences: 2. Breaking consumers: 2. Breaking producers: 0.
`,
    });
  });

  it('exits with 0 when the chosen side does not break', async () => {
    expect(await diff(at('old'), at('new'), '--for', 'producers')).toMatchObject({ code: 0 });
    expect(await diff(at('new'), at('old'), '--for', 'producers')).toMatchObject({ code: 1 });
    expect(await diff(at('new'), at('old'))).toMatchObject({ code: 0 });
    expect(await diff('built-in', 'built-in', '--for', 'both')).toEqual({
      code: 0,
      stdout: 'No differences.\n',
      stderr: '',
    });
  });

  it('names the handlers that read a changed field, in Markdown', async () => {
    const { code, stdout, stderr } = await diff(
      at('old'),
      at('new'),
      '--markdown',
      '--consumer',
      at('consumer.mjs'),
    );
    // What the handlers print must not be in the table.
    expect(stderr).toMatch(/^(price \w+\n)+$/);
    expect(stdout).toBe(`| Breaks | Event or shape | Field | Change | Handlers |
| --- | --- | --- | --- | --- |
| consumers | tariff.changed-v1 | /code | optional instead of required |  |
| consumers | tariff.changed-v1 | /price | integer or null instead of integer | prices (tariff.changed-v1) |

Differences: 2. Breaking handlers: 1. Breaking producers: 0.
`);
    expect(code).toBe(1);
  });

  it('refuses to judge own events whose handlers do not run, until it knows them', async () => {
    const source = await readFile(at('consumer.mjs'), 'utf8');
    const others = "consumer.on('account.created', 'v1', () => undefined);";
    await writeFile(at('plain.mjs'), `${source.replace(/export const contract.*/, '')}${others}\n`);
    const args = [at('old'), at('new'), '--consumer', at('plain.mjs')];
    const { code, stderr } = await diff(...args);
    expect(stderr).toContain('No handler runs for event "tariff.changed-v1".');
    expect(code).toBe(2);
    const { stdout } = await diff(...args, '--catalogue', at('old'));
    expect(stdout).toContain('Breaking handlers: 1.');
  });

  it('reads the fields that emulate verify recorded', async () => {
    const fields = at('fields.json');
    const verified = [
      'verify',
      at('consumer.mjs'),
      '--only',
      'samples',
      '--record-fields',
      fields,
      '--out',
      at('.'),
    ];
    expect(await run('emulate', verified)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(price \w+\n)+$/),
    });
    expect(JSON.parse(await readFile(fields, 'utf8'))).toEqual({
      'tariff.changed-v1': { prices: ['/price'] },
    });
    const { code, stdout } = await diff(at('old'), at('new'), '--json', '--fields', fields);
    expect(JSON.parse(stdout)).toMatchObject([
      { pointer: '/code', handlers: {} },
      { pointer: '/price', breaks: ['consumers'], handlers: { 'tariff.changed-v1': ['prices'] } },
    ]);
    expect(code).toBe(1);
  });

  it('refuses recorded fields that lack an own event, until they are recorded with it', async () => {
    const source = await readFile(at('consumer.mjs'), 'utf8');
    const handled = source
      .replace('tariff.changed', 'account.created')
      .replace(/export const contract.*/, '');
    await writeFile(at('others.mjs'), handled);
    const fields = at('others.json');
    const recorded = ['verify', at('others.mjs'), '--only', 'samples', '--record-fields', fields];
    await run('emulate', [...recorded, '--out', at('.')]);
    const args = [at('old'), at('new'), '--fields', fields];
    expect(await diff(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No handler runs for event "tariff.changed-v1". Record '),
    });
    await run('emulate', [...recorded, '--out', at('.'), '--catalogue', at('old')]);
    expect(await diff(...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Breaking handlers: 0.'),
    });
  });

  it('compares the whole catalogue in a few times the CPU of printing it', async () => {
    const cpuOf = async (...args: string[]) => {
      const { stderr } = await runNode(
        '--input-type=module',
        '--eval',
        `process.argv = [process.argv[0], 'busbar', 'catalogue', ...${JSON.stringify(args)}];
        process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())));
        await import(${JSON.stringify(pathToFileURL(join(repository, 'dist/src/cli/main.js')).href)});`,
      );
      const { user, system } = JSON.parse(stderr) as { user: number; system: number };
      return user + system;
    };
    // Load slows both.
    const printing = await cpuOf('export', '--format', 'json-schema');
    expect(await cpuOf('diff', at('old'), 'built-in')).toBeLessThan(6 * printing);
  });

  it('compares exported files as whole catalogues', async () => {
    for (const format of ['json-schema', 'asyncapi', 'openapi-webhooks']) {
      const { stdout: text } = await run('busbar', ['catalogue', 'export', '--format', format]);
      await writeFile(at(`${format}.json`), text);
      const { code, stdout } = await diff('built-in', at(`${format}.json`), '--for', 'both');
      expect({ format, code, stdout }).toEqual({ format, code: 0, stdout: 'No differences.\n' });
    }
  });

  it.each<[string[], string]>([
    [['missing', 'built-in'], 'Catalogue "missing" cannot be read: ENOENT.'],
    [['built-in', 'https://example.com/events'], 'A catalogue is a file or a folder'],
    [['built-in'], 'Argument <new> is missing.'],
    [
      ['built-in', 'built-in', '--for', 'all'],
      '"--for" must be "consumers", "producers" or "both", not "all".',
    ],
    [
      ['built-in', 'built-in', '--fields', 'none.json'],
      'File "none.json" cannot be read: ENOENT. Write it with emulate verify',
    ],
    [['built-in', 'built-in', '--fields', 'tsconfig.json'], 'File "tsconfig.json" has no recorded fields.'],
    [['built-in', 'built-in', '--fields', 'LIST'], 'has no recorded fields.'],
    [['built-in', 'built-in', '--consumer', 'none.js'], 'File "none.js" does not exist.'],
    [['built-in', 'built-in', '--json', '--markdown'], 'exclude each other'],
  ])('rejects %j with one line and exit code 2', async (args, message) => {
    await writeFile(at('list.json'), '[]');
    const { code, stdout, stderr } = await diff(
      ...args.map((arg) => (arg === 'LIST' ? at('list.json') : arg)),
    );
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts6 from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../cases.js';
import { run } from '../command.js';

// Under Vitest.
import '../../examples/own-events/consumer.test.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/own-events');
const ownCatalogue = ['--catalogue', join(example, 'catalogue')];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-own-events-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The compiler of the repository, and the oldest one that a development dependency has. */
const compilers = ['typescript', '@arethetypeswrong/core/node_modules/typescript'];

describe('events of your own', () => {
  it('keep the types that the example contains', async () => {
    const out = join(folder, 'my-events.d.ts');
    expect(await run('busbar', ['catalogue', 'types', ...ownCatalogue, '--out', out])).toMatchObject({
      code: 0,
    });
    expect(await readFile(out, 'utf8')).toBe(await readFile(join(example, 'my-events.d.ts'), 'utf8'));
  });

  it.each(compilers.slice(0, cases(1, 2)))('compile as literal types with %s', async (name) => {
    const schema = {
      'x-busbar-override': true,
      'x-event-type': 'business.created',
      'x-event-version': 'v1',
      type: 'object',
      properties: { id: { type: ['integer', 'string'] } },
      required: ['id'],
    };
    const next = { ...schema, 'x-busbar-override': false, 'x-event-version': 'v9' };
    await writeFile(join(folder, 'business.json'), JSON.stringify(schema));
    await writeFile(join(folder, 'next.json'), JSON.stringify(next));
    // Not a declaration file: the compiler skips those.
    const out = join(folder, 'my-events.ts');
    await run('busbar', ['catalogue', 'types', ...ownCatalogue, '--catalogue', folder, '--out', out]);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'consumer.ts'),
      `import { on } from 'busbar';
import type { VersionOf } from 'busbar/catalogue';
on('house_move.announced', 'v1', ({ payload }) => void payload.supply_points[0]?.industry?.trim());
on('business.created', 'v1', ({ payload }) => void ([payload.id] satisfies (number | string)[]));
export const versions: VersionOf<'business.created'>[] = ['v1', 'v9'];
on('account.created', 'v1', ({ payload }) => void payload.account_number);
on('house_move.announced', 'v2', () => undefined);
on('house_move.announcd', 'v1', () => undefined);
`,
    );
    expect(diagnose(name, [join(folder, 'consumer.ts'), out])).toEqual([
      'consumer.ts:7: Argument of type \'"v2"\' is not assignable to parameter of type \'"v1" | readonly "v1"[]\'.',
      "consumer.ts:8: Argument of type '\"house_move.announcd\"' is not assignable to parameter of type 'keyof EventCatalogue'.",
    ]);
  });

  it('go out by "emulate trigger"', async () => {
    const { code, stdout } = await run('emulate', [
      'trigger',
      'house_move.announced-v1',
      ...ownCatalogue,
      '--set',
      'account.number=A-1B2C3D4E',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      event_type: 'house_move.announced',
      payload: { account: { number: 'A-1B2C3D4E' } },
    });
  });
});

describe('busbar catalogue types', () => {
  it('writes nothing without events of your own', async () => {
    const out = join(folder, 'my-events.d.ts');
    expect(await run('busbar', ['catalogue', 'types', '--out', out])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'busbar: The catalogue has no events of your own. Name their folder with --catalogue or in busbar.config.ts.\n',
    });
    expect(existsSync(out)).toBe(false);
  });

  it('names the keywords of an event that schemas of your own lack', async () => {
    const file = join(folder, 'ParcelPacked.json');
    await writeFile(file, JSON.stringify({ title: 'ParcelPacked', type: 'object' }));
    const out = ['--out', join(folder, 'my-events.d.ts')];
    expect(await run('busbar', ['catalogue', 'types', '--catalogue', file, ...out])).toMatchObject({
      code: 2,
      stderr:
        'busbar: The catalogue has no events of your own. Add "x-event-type" and "x-event-version" to the schema of each event.\n',
    });
  });
});

describe('busbar catalogue new', () => {
  it('writes into the folder that the configuration file names', async () => {
    const config = join(folder, 'busbar.config.json');
    await writeFile(config, JSON.stringify({ catalogue: ['./export.json', './own'] }));
    const { code, stdout } = await run('busbar', [
      'catalogue',
      'new',
      'tariff.changed-v1',
      '--config',
      config,
    ]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/Next: npx busbar catalogue show tariff.changed-v1\n$/) as string,
    });
    expect(existsSync(join(folder, 'own/tariff.changed-v1.json'))).toBe(true);
  });

  it('writes a valid schema, and replaces no file', async () => {
    const create = ['catalogue', 'new', 'tariff.changed-v1', '--folder', folder];
    expect(await run('busbar', create)).toMatchObject({ code: 0 });
    const { stdout } = await run('busbar', ['catalogue', 'show', 'tariff.changed-v1', '--catalogue', folder]);
    expect(stdout).toContain('account_number  string  required');
    const file = join(folder, 'tariff.changed-v1.json');
    await writeFile(file, 'edited');
    expect(await run('busbar', create)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'cannot be written: it exists. Choose another name or folder, or edit the file.',
      ) as string,
    });
    expect(await readFile(file, 'utf8')).toBe('edited');
  });

  it('writes a schema whose fields may get several types, or none', async () => {
    const file = join(folder, 'tariff.changed-v1.json');
    await run('busbar', ['catalogue', 'new', 'tariff.changed-v1', '--folder', folder]);
    const schema = JSON.parse(await readFile(file, 'utf8')) as object;
    const properties = {
      many: { type: ['string', 'null'] },
      words: { items: { enum: ['A', 'B'] } },
      any: {},
    };
    await writeFile(file, JSON.stringify({ ...schema, properties, required: [] }));
    const { stdout } = await run('busbar', ['catalogue', 'show', 'tariff.changed-v1', '--catalogue', folder]);
    expect(
      stdout
        .split('\n')
        .slice(-4, -1)
        .map((line) => line.trim().split(/  +/)[1]),
    ).toEqual(['string or null', '[string]', 'any']);
  });

  it('gives a new version the key of the present versions', async () => {
    const into = join(folder, 'versions');
    for (const name of ['account_user.created-v2', 'tariff.changed-v1', 'tariff.changed-v2']) {
      expect(await run('busbar', ['catalogue', 'new', name, '--folder', into])).toMatchObject({ code: 0 });
      const file = join(into, 'tariff.changed-v1.json');
      if (existsSync(file))
        await writeFile(file, (await readFile(file, 'utf8')).replace('"account"', '"tariff"'));
    }
    expect(await run('busbar', ['catalogue', 'list', '--catalogue', into])).toMatchObject({ code: 0 });
  });

  it('writes a built-in schema as an override', async () => {
    const name = 'lifecycle.leave-supplier.completed-v3';
    await run('busbar', ['catalogue', 'new', name, '--folder', folder]);
    const { stdout } = await run('busbar', ['catalogue', 'show', name, '--json', '--catalogue', folder]);
    expect(JSON.parse(stdout)).toMatchObject({ $id: name, 'x-busbar-override': true });
  });
});

/** Compiles files as a user would, with the declarations of the built package. */
function diagnose(compiler: string, files: readonly string[]): string[] {
  const ts = createRequire(import.meta.url)(
    compiler === 'typescript' ? compiler : join(root, 'node_modules', compiler),
  ) as typeof ts6;
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: {
      busbar: [join(root, 'dist/src/index.d.ts')],
      'busbar/catalogue': [join(root, 'dist/catalogue/index.d.ts')],
    },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    const name = basename(file?.fileName ?? '');
    return `${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

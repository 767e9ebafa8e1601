import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from 'busbar/catalogue';
import { codeVersion } from '../../../catalogue/sources/load.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let directory: string;
let folder: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busbar-cache-'));
  folder = join(directory, 'node_modules/.cache/busbar');
  vi.stubEnv('XDG_CACHE_HOME', join(directory, 'system'));
  // Every file is new, however long a test takes.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  await mkdir(join(directory, 'node_modules'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(directory, { recursive: true });
});

const twoLetters = { type: 'string', minLength: 2 };

async function isValid(payload: unknown, code: object = twoLetters): Promise<boolean> {
  await write(code);
  return verdict(payload);
}

/** Writes the schema of the event, unless it is there: the cache knows a file by its time. */
async function write(code: object): Promise<void> {
  const schema = {
    'x-event-type': 'tariff.changed',
    'x-event-version': 'v1',
    'x-busbar-key': 'tariff',
    properties: { code },
  };
  const file = join(directory, 'tariff.json');
  const text = JSON.stringify(schema);
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text);
}

async function verdict(payload: unknown): Promise<boolean> {
  const catalogue = await loadCatalogue(['tariff.json'], { directory });
  const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
  return validate(payload);
}

/** Replaces the validators in the cache by ones that accept every payload, so that a test sees what runs. */
async function tamper(change: (text: string) => string): Promise<void> {
  const [file = ''] = await readdir(folder);
  const text = await readFile(join(folder, file), 'utf8');
  await writeFile(join(folder, file), change(text));
}

describe('the cache of validators', () => {
  it('keeps one file, which a second start leaves as it is', async () => {
    expect(await isValid({ code: 'E1' })).toBe(true);
    const [file = ''] = await readdir(folder);
    const { ino, mode } = await stat(join(folder, file));
    expect(await isValid({ code: 'E' })).toBe(false);
    expect(await readdir(folder)).toEqual([file]);
    expect((await stat(join(folder, file))).ino).toBe(ino);
    if (process.platform !== 'win32') expect(mode & 0o022).toBe(0);
  });

  it('compiles again when a schema changes', async () => {
    expect(await isValid({ code: 'E' })).toBe(false);
    expect(await isValid({ code: 'E' }, { type: 'string', minLength: 1 })).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('needs no schema at a start long after the last change', async () => {
    expect(await isValid({ code: 'E1' })).toBe(true);
    const file = join(directory, 'tariff.json');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
    await loadCatalogue(['tariff.json'], { directory });
    const text = await readFile(file, 'utf8');
    const catalogue = await loadCatalogue(['tariff.json'], { directory });
    await writeFile(file, 'no schema');
    const event = catalogue.named('tariff.changed-v1')!;
    expect(await catalogue.explain(event, { code: 'E' })).toMatchObject([{ pointer: '/code' }]);
    await expect(loadCatalogue(['tariff.json'], { directory })).rejects.toThrow('is not JSON');
    await writeFile(file, text.replace('"minLength":2', '"minLength":1'));
    const changed = await loadCatalogue(['tariff.json'], { directory });
    expect((await changed.validator(changed.named('tariff.changed-v1')!))({ code: 'E' })).toBe(true);
  });

  it('validates the built-in events whose shapes the user replaced', async () => {
    const shape = { $id: 'PsrRecord', 'x-busbar-override': true, type: 'string' };
    await writeFile(join(directory, 'PsrRecord.json'), JSON.stringify(shape));
    const catalogue = await loadCatalogue(['PsrRecord.json'], { directory });
    const validate = await catalogue.validator(catalogue.named('account_user.psr_records_updated-v1')!);
    const payload = { user_id: 1, updated_records: [], deleted_records: [] };
    expect(['A', 7].map((record) => validate({ ...payload, created_records: [record] }))).toEqual([
      true,
      false,
    ]);
  });

  it('compares objects with those of a schema, also fields named as methods', async () => {
    const schema = { enum: [{ toString: 1, list: [{}] }, 'E1'] };
    for (const _ of ['compiled', 'from the cache']) {
      expect(await isValid({ code: { list: [{}], toString: 1 } }, schema)).toBe(true);
      for (const code of [
        {},
        { toString: 1 },
        { toString: 1, list: {} },
        { valueOf: 1 },
        { constructor: null },
        null,
      ])
        expect(await isValid({ code }, schema)).toBe(false);
    }
    const [file = ''] = await readdir(folder);
    expect(await readFile(join(folder, file), 'utf8')).not.toContain('fast-deep-equal');
  });

  it('takes a field named as a method for missing unless the payload has it', async () => {
    const type = (name: string) => ({ type: name });
    const optional = {
      properties: { constructor: type('string'), toString: type('string'), valueOf: type('string') },
    };
    const schema = {
      ...optional,
      required: ['hasOwnProperty'],
      dependentRequired: { constructor: ['valueOf'] },
    };
    const whole = { hasOwnProperty: 1 };
    for (const _ of ['compiled', 'from the cache']) {
      expect(await isValid({ code: whole }, schema)).toBe(true);
      for (const code of [{}, { ...whole, toString: 1 }, { ...whole, constructor: 'x' }])
        expect(await isValid({ code }, schema)).toBe(false);
    }
  });

  it('knows the version of ajv', () => {
    const { version } = createRequire(import.meta.url)('ajv/package.json') as { version: string };
    expect(codeVersion).toMatch(new RegExp(`^ajv ${version}, `));
  });

  it.each([
    ['changed code', (text: string) => text.replaceAll('false', 'true')],
    ['a truncated file', (text: string) => text.slice(0, -50)],
    ['an empty file', () => ''],
  ])('ignores %s, and repairs it', async (_name, change) => {
    await isValid({});
    await tamper(change);
    expect(await isValid({ code: 'E' })).toBe(false);
    const [file = ''] = await readdir(folder);
    expect((await readFile(join(folder, file), 'utf8')).length).toBeGreaterThan(200);
  });

  it.skipIf(process.platform === 'win32')('runs no code that another user can write', async () => {
    await isValid({});
    const [file = ''] = await readdir(folder);
    const path = join(folder, file);
    for (const open of [path, folder]) {
      const { ino } = await stat(path);
      chmodSync(open, 0o777);
      expect(await isValid({ code: 'E' })).toBe(false);
      if (open === path) {
        expect((await stat(path)).ino).not.toBe(ino);
        expect((await stat(path)).mode & 0o022).toBe(0);
      }
    }
    // The folder stays as it is, and the cache of the system takes over.
    expect(await readdir(join(directory, 'system/busbar'))).toEqual([file]);
  });

  it('works without a folder that can be written', async () => {
    await writeFile(join(directory, 'node_modules/.cache'), '');
    await writeFile(join(directory, 'system'), '');
    expect(await isValid({ code: 'E' })).toBe(false);
  });

  it('serves concurrent first starts', async () => {
    await write(twoLetters);
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => verdict({ code: 'E' })));
    expect(new Set(verdicts)).toEqual(new Set([false]));
    expect(await readdir(folder)).toHaveLength(1);
  });
});

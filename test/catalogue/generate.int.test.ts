import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSources } from '../../catalogue/generate/check.js';
import { loadSources } from '../../catalogue/generate/load.js';
import { playsAll } from '../cases.js';
import { counts } from './counts.js';
import { repository, runNode } from './run-node.js';

const generate = (...args: string[]) => runNode('--import', 'tsx', 'catalogue/generate/main.ts', ...args);

// Each run generates everything, which takes seconds.
describe.runIf(playsAll)('npm run generate', () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'busbar-generate-'));
    // Decisions are marked in the other houses too.
    for (const folder of ['catalogue', 'docs', 'src', 'emulator']) {
      const filter = (path: string) => !path.includes('node_modules', repository.length);
      cpSync(join(repository, folder), join(copy, folder), { recursive: true, filter });
    }
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('names stale files, writes them, and removes files without a source', async () => {
    const source = join(copy, 'catalogue/events/business/business.created-v1.json');
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, text.replace('"integer"', '"string"'));
    writeFileSync(join(copy, 'catalogue/generated/leftover.js'), '');

    // The committed files are current: the check names no other file.
    const stale = await generate('--check', '--root', copy);
    expect(stale.code).toBe(1);
    expect(stale.stderr.trimEnd().split('\n')).toEqual([
      'catalogue/generated/types.ts is not what the sources say.',
      'catalogue/generated/validators.js is not what the sources say.',
      'catalogue/generated/events.ts is not what the sources say.',
      'catalogue/generated/schemas.js is not what the sources say.',
      'catalogue/generated/asyncapi.json is not what the sources say.',
      'catalogue/generated/json-schema.json is not what the sources say.',
      'catalogue/generated/openapi-webhooks.json is not what the sources say.',
      'catalogue/generated/leftover.js is not what the sources say.',
      'Run: npm run generate',
    ]);
    expect(await generate('--root', copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^8 of /),
    });
    expect(existsSync(join(copy, 'catalogue/generated/validators/business.closed-v1.js'))).toBe(false);
    expect(await generate('--check', '--root', copy)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^All \d+ generated files are current\.\n$/),
    });
    expect(readFileSync(join(copy, 'catalogue/generated/types.ts'), 'utf8')).toMatch(
      /interface BusinessCreatedV1 \{\s+(\/\*\*.*\*\/\s+)?id: string;\s+\}/,
    );
  });

  it('writes nothing from sources that break a rule', async () => {
    const source = join(copy, 'catalogue/shapes/Period.json');
    writeFileSync(source, readFileSync(source, 'utf8').replace('"title": "Period"', '"title": "Trait"'));
    const { code, stderr } = await generate('--root', copy);
    expect(code).toBe(1);
    expect(stderr).toContain('catalogue/shapes/Period.json: "title" must be the same as "$id".');
    expect(stderr).toContain('Nothing was written.');
  });
});

describe('the generated types', () => {
  const types = readFileSync(join(repository, 'catalogue/generated/types.ts'), 'utf8');

  it('declare each shape and each payload once', () => {
    const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(names).toHaveLength(counts.versions + counts.shapes + 1);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /[a-z]\d$/.test(name ?? '') && !/V\d$/.test(name ?? ''))).toEqual([]);
  });

  it('declare no index signatures', () => {
    expect(types).not.toMatch(/\[\w+: string\]/);
    expect(types).toContain('Record<string, unknown>');
  });
});

describe('the check before generating', () => {
  const sources = loadSources(join(repository, 'catalogue'));
  const [event] = sources.events.filter(({ schema }) => schema.$id === 'flex_device.disconnected-v1');
  const complaintsOf = (change: Readonly<Record<string, unknown>>, path = event!.path) =>
    checkSources({
      events: [{ path, schema: { ...event!.schema, ...change } }],
      shapes: sources.shapes,
    });

  it('accepts the files of the catalogue', () => {
    expect(checkSources(sources)).toEqual([]);
  });

  it.each([
    [{ $id: 'flex_device.disconnected' }, '"$id" must be "flex_device.disconnected-v1".'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, '"$schema" must be'],
    [{ title: 'flex device' }, '"title" must be a name for a type'],
    [{ 'x-event-version': undefined }, '"x-event-type" and "x-event-version" are both required.'],
    [{ 'x-group': undefined }, '"x-group" must name the group'],
    [{ 'x-busbar-key': undefined }, '"x-busbar-key" must say what the partition key names: account, user'],
    [{ 'x-busbar-key': 'acount' }, '"x-busbar-key" must say what the partition key names: account, user'],
    [{ properties: { power: { type: 'integer', minimum: 0 } } }, '"minimum" is a keyword that'],
    [{ additionalProperties: false }, '"additionalProperties" is a keyword that'],
    [{ description: undefined }, '"description" must say what happened.'],
    [{ properties: { power: { type: 'integer' } } }, 'field "power" needs a "description".'],
    [{ properties: { payload: { $ref: '../../shapes/Unknown.json' } } }, 'name a file of catalogue/shapes.'],
    [
      { properties: { payload: { $ref: '../../shapes/Period.json', description: 'When.' } } },
      '"$ref" must be the only keyword',
    ],
  ])('complains about %j', (change, complaint) => {
    expect(complaintsOf(change).join('\n')).toContain(`catalogue/${event!.path}: ${complaint}`.slice(0, 60));
    expect(complaintsOf(change).join('\n')).toContain(complaint);
  });

  it('complains about a shape with the title of another', () => {
    const shapes = sources.shapes.map(({ path, schema }) =>
      schema.$id === 'Period' ? { path, schema: { ...schema, title: 'Trait' } } : { path, schema },
    );
    const complaints = checkSources({ events: sources.events, shapes });
    expect(complaints).toContain('catalogue/shapes/Period.json: "title" must be the same as "$id".');
    expect(complaints.join('\n')).toContain('"title" "Trait" is taken by catalogue/shapes/Period.json.');
  });

  it('complains about versions of an event with different keys', () => {
    const events = sources.events.map(({ path, schema }) =>
      schema.$id === 'billing.ledger.entry_posted-v2'
        ? { path, schema: { ...schema, 'x-busbar-key': 'user' } }
        : { path, schema },
    );
    expect(checkSources({ events, shapes: sources.shapes })).toEqual([
      'catalogue/events/billing/billing.ledger.entry_posted-v2.json: "x-busbar-key" must be "account", as in the other versions.',
    ]);
  });

  it('complains about a file in another folder', () => {
    expect(complaintsOf({}, 'events/device/flex_device.disconnected-v1.json')).toEqual([
      'catalogue/events/device/flex_device.disconnected-v1.json: must be catalogue/events/flex_device/flex_device.disconnected-v1.json.',
    ]);
  });
});

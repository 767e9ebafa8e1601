import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  circles,
  type Import,
  importsOf,
  impurities,
  packageNames,
  root,
  sourcesIn,
} from './read-sources.js';

/** Top folders from the ground up; a folder may import itself and what stands before it. */
const houses = ['catalogue', 'src', 'emulator', 'examples', 'test', 'bench'];

/** Within `emulator/`, floor by floor from the ground up. */
const floors = [
  ['broker', 'engine'],
  ['world'],
  ['scenarios', 'invariants'],
  ['samples'],
  ['run'],
  ['sinks'],
  ['http', 'platform-api', 'control-api', 'dashboard'],
  ['testing'],
  ['start'],
  ['index', 'calibrate', 'served'],
  ['cli'],
];

const files = houses.flatMap((house) => sourcesIn(house));
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const houseOf = (path: string) => houses.indexOf(path.split('/')[0] ?? '');
const isGround = (path: string) => within(path, 'src/base');
const shown = (each: Import) => `${each.from} imports ${each.to}`;

describe('CONTRIBUTING.md', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)\/` +\| (.*?) +\|$/gm)].map(([, folder = '', text = '']) => ({
    folder,
    text,
  }));

  it('describes each folder of the sources in one sentence', () => {
    const folders = ['src', 'emulator'].flatMap((house) => [house, ...foldersIn(house)]);
    expect(folders.filter((folder) => rows.every((row) => row.folder !== folder))).toEqual([]);
    for (const { folder, text } of rows) expect(text, folder).toMatch(/^[A-Z`].*[^.]\.$/);
  });

  it('describes only folders that exist', () => {
    expect(rows.filter(({ folder }) => !existsSync(join(root, folder)))).toEqual([]);
  });

  it('lists the layers of the emulator in their order', () => {
    const text = floors.map((floor) => floor.map((each) => `\`${each}\``).join(', ')).join(' | ');
    expect(page.replaceAll('\n', ' ')).toContain(text);
  });
});

describe('imports', () => {
  it('include those of every source', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports).toContainEqual({
      from: 'src/consumer.ts',
      specifier: './registry.js',
      to: 'src/registry',
      isTypeOnly: false,
    });
    const found = importsOf('src/x.ts', sampleSource).map(({ to, isTypeOnly }) => [to, isTypeOnly]);
    expect(found).toEqual([
      ['src/a', false],
      ['catalogue/b', true],
      ['src/cli/c', false],
      ['kafkajs', false],
      ['@scope/name', true],
      ['catalogue/generated/events', false],
      ['src/base/index', false],
    ]);
  });

  it('name the packages as their manifests do', () => {
    const exported = ['.', 'emulator'].flatMap((folder) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        name: string;
        exports: Record<string, string | { default: string }>;
      };
      return Object.entries(exports)
        .filter(([subpath]) => subpath !== './package.json')
        .map(([subpath, entry]) => {
          const file =
            typeof entry === 'string' ? entry : entry.default.replace(/^\.\/dist/, '.').replace(/js$/, 'ts');
          return [name + subpath.slice(1), `./${join(folder, file)}`] as const;
        });
    });
    expect(packageNames).toEqual(Object.fromEntries(exported));
  });

  it('reach the framework from the emulator by package names', () => {
    const out = imports.filter(
      ({ from, to }) => within(from, 'emulator') && ['catalogue', 'src'].includes(to.split('/')[0] ?? ''),
    );
    expect(out.filter(({ specifier }) => !specifier.startsWith('busbar')).map(shown)).toEqual([]);
    const internal = new Set(
      out.map(({ specifier }) => specifier).filter((each) => each.startsWith('busbar/internal/')),
    );
    expect([...internal].sort()).toEqual(
      [
        'catalogue',
        'command-line',
        'connection-flags',
        'dead-letter-topic',
        'dead-letters',
        'kafka-protocol',
        'memory',
        'producer-options',
        'record-producer',
        'sync-catalogue',
        'websocket-frames',
        'websocket-protocol',
      ].map((name) => `busbar/internal/${name}`),
    );
  });

  it('run one way: catalogue, src, emulator, examples, test', () => {
    const wrong = imports.filter(({ from, to }) => houseOf(to) > houseOf(from) && !isGround(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('lead from the catalogue only to src/base, which imports nothing', () => {
    const out = imports.filter(
      ({ from, to }) => within(from, 'catalogue') && within(to, 'src') && !isGround(to),
    );
    expect(out.map(shown)).toEqual([]);
    const below = imports.filter(({ from, to }) => isGround(from) && houseOf(to) !== -1 && !isGround(to));
    expect(below.map(shown)).toEqual([]);
  });

  it('lead from the tests of a layer to no higher layer', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (within(from, 'test/catalogue') &&
          houseOf(to) > houseOf('catalogue') &&
          houseOf(to) < houseOf('test') &&
          !isGround(to)) ||
        (within(from, 'test/src') && within(to, 'emulator')),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('never lead to a higher folder within the emulator', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!within(from, 'emulator') || !within(to, 'emulator')) return false;
      const [one, other] = [rankOf(from), rankOf(to)];
      return floorOf(other) > floorOf(one);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('cover every folder of the emulator', () => {
    const unknown = files.filter((file) => within(file, 'emulator') && floorOf(rankOf(file)) === -1);
    expect(unknown).toEqual([]);
  });

  it('lead from the engine to the catalogue only for types', () => {
    const wrong = imports.filter(
      ({ from, to, isTypeOnly }) => within(from, 'emulator/engine') && within(to, 'catalogue') && !isTypeOnly,
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('lead from the Kafka protocol only to src/base', () => {
    const out = imports.filter(
      ({ from, to }) =>
        within(from, 'src/kafka-protocol') && !within(to, 'src/kafka-protocol') && !within(to, 'src/base'),
    );
    expect(out.map(shown)).toEqual([]);
  });

  it('lead from the broker only to the Kafka protocol and src/base', () => {
    const out = imports.filter(
      ({ from, to }) =>
        within(from, 'emulator/broker') &&
        houseOf(to) !== -1 &&
        !within(to, 'emulator/broker') &&
        !within(to, 'src/kafka-protocol') &&
        !within(to, 'src/base'),
    );
    expect(out.map(shown)).toEqual([]);
  });

  it('form no cycle, type imports included', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('reveal cycles, also of a file that imports itself', () => {
    const edges = ['a b', 'b c', 'c a', 'c d', 'd e', 'f f', 'g x'].map((edge) => edge.split(' '));
    const sample = edges.map(([from = '', to = '']) => ({
      from: `${from}.ts`,
      specifier: to,
      to,
      isTypeOnly: true,
    }));
    expect(circles(sample)).toEqual([['a', 'b', 'c'], ['f']]);
  });

  it('lead from the dashboard only to types and the stream’s constants', () => {
    const client = 'emulator/dashboard/client';
    const wrong = imports.filter(
      ({ from, to, isTypeOnly }) =>
        within(from, client) &&
        houseOf(to) !== -1 &&
        !within(to, client) &&
        !isTypeOnly &&
        to !== 'src/transports/websocket-protocol',
    );
    expect(wrong.map(shown)).toEqual([]);
    const into = imports.filter(
      ({ from, to }) => within(to, client) && !within(from, client) && !within(from, 'test'),
    );
    expect(into.map(shown)).toEqual([]);
  });

  it.each([
    ['kafkajs', ['src/transports/kafka', 'bench', 'test']],
    ['ws', ['src/transports', 'emulator', 'bench', 'test']],
    [
      'express',
      [
        'emulator/http',
        'emulator/platform-api',
        'emulator/control-api',
        'emulator/dashboard',
        'bench',
        'test',
      ],
    ],
    ['graphql', ['emulator/platform-api']],
    ['luxon', ['test']],
    ['selfsigned', ['emulator/http']],
    ['prom-client', ['src/operations', 'test']],
    ['@opentelemetry/api', ['src/operations', 'test']],
    ['yargs', ['src/cli', 'emulator/cli', 'test']],
    [
      'ajv',
      ['catalogue', 'emulator/platform-api', 'emulator/http', 'emulator/testing/service', 'bench', 'test'],
    ],
    ['typescript', ['catalogue/generate', 'bench', 'test']],
    ['preact', ['emulator/dashboard/client']],
    ['@preact/signals', ['emulator/dashboard/client']],
    ['vite', ['emulator/dashboard/client']],
    ['playwright-core', ['test', 'bench']],
  ])('reach only the entries of %s', (name, places) => {
    const wrong = imports.filter(
      ({ from, to }) => within(to, name) && !places.some((place) => within(from, place)),
    );
    expect(wrong.map(shown)).toEqual([]);
  });
});

describe('reproducible code', () => {
  const belowRun = ['engine', 'world', 'samples', 'scenarios', 'invariants'].map(
    (floor) => `emulator/${floor}`,
  );

  it('uses no wall clock, shared randomness or time zone data', () => {
    const wrong = files
      .filter((file) => belowRun.some((folder) => within(file, folder)))
      .flatMap((file) =>
        impurities(readFileSync(join(root, file), 'utf8')).map((what) => `${file} uses ${what}`),
      );
    expect(wrong).toEqual([]);
    expect(
      impurities(
        'Date.now(); Math.random(); new Date(); new Date(0); Intl.NumberFormat; performance.now(); // Date.now',
      ),
    ).toEqual(['Date.now', 'Math.random', 'new Date()', 'Intl', 'performance']);
  });
});

describe('paths', () => {
  it('come from import.meta.dirname, not from a URL, which encodes spaces', () => {
    const encoded = files.filter((file) =>
      /import\.meta\.url\)\.pathname/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(encoded).toEqual([]);
  });
});

describe('npm scripts', () => {
  it('quote their arguments so that cmd of Windows reads them, too', () => {
    for (const folder of ['.', 'emulator', 'docs', 'examples/consumer-service']) {
      const path = join(root, folder, 'package.json');
      if (!existsSync(path)) continue;
      const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as { scripts?: Record<string, string> };
      for (const script of Object.values(scripts)) expect(script).not.toMatch(/(^|[\s=])'|^[A-Z_]+=/);
    }
  });
});

describe('a production process', () => {
  it('loads no kafkajs, ajv, express or emulator with "busbar"', () => {
    expect(existsSync(join(root, 'dist/src/index.js')), 'npm run build comes first').toBe(true);
    const loaded = modulesLoadedBy('busbar');
    expect(loaded).toContain('src/consumer.ts');
    expect(loaded.filter((path) => /node_modules|emulator|operations|kafkajs|\/cli\//.test(path))).toEqual(
      [],
    );
  });

  it('loads prom-client and OpenTelemetry only on demand', () => {
    const loaded = modulesLoadedBy('busbar/operations');
    expect(loaded).toContain('src/operations/serve.ts');
    expect(loaded.filter((path) => /node_modules|emulator|\/cli\//.test(path))).toEqual([]);
  });
});

describe('the help of a command', () => {
  it.each(['dist/src/cli/main.js', 'emulator/dist/cli/main.js'])('loads no consumer: %s', (command) => {
    const loaded = modulesLoadedBy(pathToFileURL(join(root, command)).href, '--help');
    expect(loaded).toContain('src/cli/help.ts');
    expect(loaded.filter((path) => /^catalogue|^src\/(running|envelope)\//.test(path))).toEqual([]);
  });
});

const sampleSource = `
  import { a } from './a.js';
  import type { b } from '../catalogue/b.js';
  export { c } from './cli/c.js';
  const d = await import('kafkajs');
  import type e from '@scope/name/deep';
  import events from '#generated/events.js';
  import { quoted } from 'busbar/base';
  import fs from 'node:fs';
  const text = "import { f } from './f.js'";
`;

function foldersIn(house: string): string[] {
  return readdirSync(join(root, house), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
    .map(({ name }) => `${house}/${name}`);
}

/** `emulator/world/cell.ts` -> `world`, `emulator/index.ts` -> `index` */
function rankOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function floorOf(place: string): number {
  return floors.findIndex((floor) => floor.includes(place));
}

/**
 * What a fresh process loads for an import, by paths from the root, as the module loader is asked for it: in place of a
 * built file the sources in it, above each of which the build names it.
 */
function modulesLoadedBy(specifier: string, ...args: readonly string[]): string[] {
  const hooks = `
    import { writeSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) writeSync(1, url + '\\n');
      return next(url, context);
    }`;
  const script = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    await import(${JSON.stringify(specifier)});`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script, '', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)).replaceAll('\\', '/'))
    .flatMap((path) =>
      within(path, 'dist')
        ? [...readFileSync(join(root, path), 'utf8').matchAll(/^\/\/ (\S+\.ts)$/gm)].map(
            ([, source]) => source ?? '',
          )
        : [path],
    );
}

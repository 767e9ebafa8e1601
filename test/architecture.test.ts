import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, impurities, root, sourcesIn } from './read-sources.js';

/** Top folders from the ground up; a folder may import itself and what stands before it. */
const houses = ['catalogue', 'src', 'emulator', 'examples', 'test', 'bench'];

/** Within `emulator/`, floor by floor from the ground up. */
const floors = [
  ['broker', 'engine'],
  ['world', 'samples'],
  ['scenarios', 'invariants'],
  ['run', 'sinks'],
  ['http', 'platform-api', 'control-api', 'dashboard'],
  ['testing'],
  ['start'],
  ['index'],
  ['cli'],
];

const files = houses.flatMap((house) => sourcesIn(house));
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const houseOf = (path: string) => houses.indexOf(path.split('/')[0] ?? '');
const isGround = (path: string) => within(path, 'src/base');
const shown = (each: Import) => `${each.from} imports ${each.to}`;

describe('imports', () => {
  it('are read from every source there is', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports).toContainEqual({ from: 'src/consumer.ts', to: 'src/registry', isTypeOnly: false });
    expect(importsOf('src/x.ts', sampleSource)).toEqual([
      { from: 'src/x.ts', to: 'src/a', isTypeOnly: false },
      { from: 'src/x.ts', to: 'catalogue/b', isTypeOnly: true },
      { from: 'src/x.ts', to: 'src/cli/c', isTypeOnly: false },
      { from: 'src/x.ts', to: 'kafkajs', isTypeOnly: false },
      { from: 'src/x.ts', to: '@scope/name', isTypeOnly: true },
      { from: 'src/x.ts', to: 'catalogue/generated/events', isTypeOnly: false },
    ]);
  });

  it('run one way between the houses: catalogue, src, emulator, examples and test', () => {
    const wrong = imports.filter(({ from, to }) => houseOf(to) > houseOf(from) && !isGround(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('lead from the catalogue to nothing else of ours but the ground floor, which imports nothing', () => {
    const out = imports.filter(
      ({ from, to }) => within(from, 'catalogue') && within(to, 'src') && !isGround(to),
    );
    expect(out.map(shown)).toEqual([]);
    const below = imports.filter(({ from, to }) => isGround(from) && houseOf(to) !== -1 && !isGround(to));
    expect(below.map(shown)).toEqual([]);
  });

  it('lead from a test of one house to no house above it', () => {
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

  it('within the emulator never lead to a higher floor', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!within(from, 'emulator') || !within(to, 'emulator')) return false;
      const [one, other] = [placeOf(from), placeOf(to)];
      return floorOf(other) > floorOf(one);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('know every folder of the emulator', () => {
    const unknown = files.filter((file) => within(file, 'emulator') && floorOf(placeOf(file)) === -1);
    expect(unknown).toEqual([]);
  });

  it('lead from the engine, which knows nothing of energy, to the catalogue for types alone', () => {
    const wrong = imports.filter(
      ({ from, to, isTypeOnly }) => within(from, 'emulator/engine') && within(to, 'catalogue') && !isTypeOnly,
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('lead from the broker to nothing of ours but the ground floor', () => {
    const out = imports.filter(
      ({ from, to }) =>
        within(from, 'emulator/broker') &&
        houseOf(to) !== -1 &&
        !within(to, 'emulator/broker') &&
        !within(to, 'src/base'),
    );
    expect(out.map(shown)).toEqual([]);
  });

  it('lead from the page, which runs in a browser, to types alone and the constants of the stream', () => {
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
    ['ajv', ['catalogue', 'emulator/platform-api', 'emulator/http', 'bench', 'test']],
    ['typescript', ['catalogue/generate', 'bench', 'test']],
    ['preact', ['emulator/dashboard/client']],
    ['@preact/signals', ['emulator/dashboard/client']],
    ['uplot', ['emulator/dashboard/client']],
    ['vite', ['emulator/dashboard/client']],
    ['playwright-core', ['test', 'bench']],
  ])('of %s are in their place', (name, places) => {
    const wrong = imports.filter(
      ({ from, to }) => within(to, name) && !places.some((place) => within(from, place)),
    );
    expect(wrong.map(shown)).toEqual([]);
  });
});

describe('what must give the same bytes each time', () => {
  const belowRun = ['engine', 'world', 'samples', 'scenarios', 'invariants'].map(
    (floor) => `emulator/${floor}`,
  );

  it('uses no wall clock, no shared randomness and no zone data of the machine', () => {
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

describe('a production process', () => {
  it('that imports "busbar" loads neither kafkajs nor ajv nor express nor anything of the emulator', () => {
    expect(existsSync(join(root, 'dist/src/index.js')), 'npm run build comes first').toBe(true);
    const loaded = modulesLoadedBy('busbar');
    expect(loaded).toContain('src/consumer.ts');
    expect(loaded.filter((path) => /node_modules|emulator|operations|kafkajs|\/cli\//.test(path))).toEqual(
      [],
    );
  });

  it('that imports "busbar/operations" loads neither prom-client nor OpenTelemetry before it is asked to', () => {
    const loaded = modulesLoadedBy('busbar/operations');
    expect(loaded).toContain('src/operations/serve.ts');
    expect(loaded.filter((path) => /node_modules|emulator|\/cli\//.test(path))).toEqual([]);
  });
});

const sampleSource = `
  import { a } from './a.js';
  import type { b } from '../catalogue/b.js';
  export { c } from './cli/c.js';
  const d = await import('kafkajs');
  import type e from '@scope/name/deep';
  import events from '#generated/events.js';
  import fs from 'node:fs';
  const text = "import { f } from './f.js'";
`;

/** `emulator/world/cell.ts` -> `world`, `emulator/index.ts` -> `index` */
function placeOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function floorOf(place: string): number {
  return floors.findIndex((floor) => floor.includes(place));
}

/**
 * What a fresh process loads for an import, by paths from the root, as the module loader is asked for it: in place of a
 * built file the sources in it, above each of which the build names it.
 */
function modulesLoadedBy(specifier: string): string[] {
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
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => relative(root, new URL(url).pathname))
    .flatMap((path) =>
      within(path, 'dist')
        ? [...readFileSync(join(root, path), 'utf8').matchAll(/^\/\/ (\S+\.ts)$/gm)].map(
            ([, source]) => source ?? '',
          )
        : [path],
    );
}

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const sources = join(import.meta.dirname, '../..');

const files = {
  '.gitignore': 'dist/\n',
  'package.json': JSON.stringify({
    name: 'busbar',
    version: '1.2.3',
    repository: 'https://example.com/a/b',
    scripts: { test: 'false', prepack: 'node build.cjs' },
    dependencies: { needed: '^1.0.0' },
    devDependencies: { bundled: '1.0.0', nothing: '1.0.0' },
    workspaces: ['emulator'],
    files: ['CHANGELOG.md', 'dist/THIRD-PARTY-LICENSES.md'],
  }),
  // The build, which makes a package part of this one.
  'build.cjs': `const { mkdirSync, writeFileSync } = require('node:fs');
    mkdirSync('dist', { recursive: true });
    writeFileSync('dist/THIRD-PARTY-LICENSES.md', '# Licenses\\n\\n## bundled - 1.0.0 (MIT)\\n');`,
  'package-lock.json': JSON.stringify({
    name: 'busbar',
    version: '1.2.3',
    lockfileVersion: 3,
    packages: {
      '': {
        name: 'busbar',
        version: '1.2.3',
        workspaces: ['emulator'],
        dependencies: { needed: '^1.0.0' },
        devDependencies: { bundled: '1.0.0', nothing: '1.0.0' },
      },
      emulator: { name: 'busbar-emulator', version: '1.2.3', peerDependencies: { busbar: '1.2.3' } },
      'node_modules/busbar': { resolved: '', link: true },
      'node_modules/busbar-emulator': { resolved: 'emulator', link: true },
      'node_modules/bundled': { version: '1.0.0', license: 'MIT', dev: true },
      // The older version that another package needs, under a name that comes first.
      'node_modules/nothing': { version: '1.0.0', dev: true, dependencies: { needed: '^0.1.0' } },
      'node_modules/nothing/node_modules/needed': { version: '0.1.0', dev: true },
      'node_modules/needed': { version: '1.0.1', license: 'MIT', dependencies: { deep: '^2.0.0' } },
      'node_modules/deep': { version: '2.0.0', license: 'ISC' },
    },
  }),
  'emulator/package.json': JSON.stringify({
    name: 'busbar-emulator',
    version: '1.2.3',
    peerDependencies: { busbar: '1.2.3' },
  }),
  'README.md': '[The guide](docs/guide.md)\n',
  'emulator/README.md': '[The guide](../docs/guide.md)\n',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.3 (2026-03-02)\n',
  LICENSE: 'A licence\n',
};

describe('npm run release -- --dry-run', () => {
  // Packing takes seconds, so these tests share what one release wrote.
  let root = '';
  let released: ReturnType<typeof release>;
  beforeAll(() => {
    root = repository({}, afterAll);
    released = release(root);
  });

  it('packs both packages with bills of materials and checksums', () => {
    const { status, stdout, stderr } = released;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const folder = join(root, 'dist/release');
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(stdout).toBe(sums);
    const names = ['busbar-1.2.3', 'busbar-emulator-1.2.3'].flatMap((name) => [
      `${name}.tgz`,
      `${name}.cdx.json`,
    ]);
    const expected = names.map((name) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
      return `${sum}  ${name}\n`;
    });
    expect(sums).toBe(expected.join(''));
  });

  it('gives both packages the address of the repository, the licence and working links', () => {
    const [framework, emulator] = ['busbar-1.2.3.tgz', 'busbar-emulator-1.2.3.tgz'].map((name) => {
      const read = (file: string) =>
        execFileSync('tar', ['-xzOf', join(root, 'dist/release', name), `package/${file}`], {
          encoding: 'utf8',
        });
      expect(read('LICENSE')).toBe('A licence\n');
      expect(read('README.md')).toBe('[The guide](https://example.com/a/b/blob/v1.2.3/docs/guide.md)\n');
      return JSON.parse(read('package.json')) as object;
    });
    const repositoryField = { type: 'git', url: 'git+https://example.com/a/b.git' };
    expect(framework).toEqual({
      name: 'busbar',
      version: '1.2.3',
      repository: repositoryField,
      homepage: 'https://example.com/a/b#readme',
      bugs: 'https://example.com/a/b/issues',
      dependencies: { needed: '^1.0.0' },
      files: ['CHANGELOG.md', 'dist/THIRD-PARTY-LICENSES.md'],
    });
    expect(emulator).toMatchObject({ repository: { ...repositoryField, directory: 'emulator' } });
  });

  it('lists what npm installs and what is part of a package in its bill of materials', () => {
    const [framework, emulator] = ['busbar', 'busbar-emulator'].map((name) => {
      const text = readFileSync(join(root, `dist/release/${name}-1.2.3.cdx.json`), 'utf8');
      const { metadata, components, dependencies } = JSON.parse(text) as Sbom;
      expect(metadata.component).toMatchObject({ name, version: '1.2.3' });
      expect(dependencies.map(({ ref }) => ref).sort()).toEqual(
        [metadata.component, ...components].map((each) => each['bom-ref']).sort(),
      );
      return { components, dependencies };
    });
    expect(framework?.components).toMatchObject([
      { 'bom-ref': 'bundled@1.0.0', properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }] },
      { 'bom-ref': 'deep@2.0.0', licenses: [{ license: { id: 'ISC' } }], properties: [] },
      { 'bom-ref': 'needed@1.0.1', purl: 'pkg:npm/needed@1.0.1' },
    ]);
    expect(emulator?.dependencies[1]).toEqual({ ref: 'busbar@1.2.3', dependsOn: ['needed@1.0.1'] });
  });

  it('writes the same archives and bills of materials again', () => {
    const before = released.stdout;
    expect(release(root).stdout).toBe(before);
  });

  it.each([
    [
      'a file that is not committed',
      (root: string) => writeFileSync(join(root, 'notes.txt'), ''),
      'release: Files are not committed, such as "notes.txt". Commit them.\n',
    ],
    [
      'versions that differ',
      { 'emulator/package.json': files['emulator/package.json'].replace('"1.2.3"', '"1.2.2"') },
      'release: "busbar-emulator" has version 1.2.2 and "busbar" 1.2.3. Give both the same.\n',
    ],
    [
      'another peer',
      {
        'emulator/package.json': files['emulator/package.json'].replace(
          '{"busbar":"1.2.3"',
          '{"busbar":"^1"',
        ),
      },
      'release: "busbar-emulator" needs "busbar" ^1. Name 1.2.3 as its peer.\n',
    ],
    [
      'a version without a section in CHANGELOG.md',
      { 'CHANGELOG.md': '# Changelog\n\n## 1.2.30\n' },
      'release: CHANGELOG.md has no section "## 1.2.3". Write it.\n',
    ],
  ])('rejects %s and packs nothing', (_what, change, message) => {
    const root = repository(typeof change === 'function' ? {} : change);
    if (typeof change === 'function') change(root);
    expect(release(root)).toMatchObject({ status: 1, stdout: '', stderr: message });
    expect(existsSync(join(root, 'dist'))).toBe(false);
  });
});

interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Returns the folder of a committed repository with two small packages. */
function repository(
  changes: Readonly<Record<string, string>>,
  afterwards: (remove: () => void) => void = onTestFinished,
): string {
  const root = mkdtempSync(join(tmpdir(), 'busbar-release-'));
  afterwards(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...files, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '--no-gpg-sign', '--message', 'Start');
  return root;
}

function release(root: string) {
  // The folder has no packages installed.
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const args = ['--import', pathToFileURL(tsx).href, join(sources, '.packaging/release.ts'), '--dry-run'];
  const env = { ...process.env, npm_config_loglevel: 'silent' };
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
}

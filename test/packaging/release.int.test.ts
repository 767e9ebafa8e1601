import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const sources = join(import.meta.dirname, '../..');

const files = {
  '.gitignore': 'dist/\n',
  'package.json': JSON.stringify({
    name: 'busbar',
    version: '1.2.3',
    repository: 'https://example.com/a/b',
    scripts: { test: 'false' },
    devDependencies: { nothing: '1.0.0' },
    files: ['CHANGELOG.md'],
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
  it('packs both packages with their checksums', () => {
    const root = repository({});
    const { status, stdout, stderr } = release(root);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const folder = join(root, 'dist/release');
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(stdout).toBe(sums);
    const names = ['busbar-1.2.3.tgz', 'busbar-emulator-1.2.3.tgz'];
    const expected = names.map((name) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
      return `${sum}  ${name}\n`;
    });
    expect(sums).toBe(expected.join(''));
  });

  it('gives both packages the address of the repository, the licence and working links', () => {
    const root = repository({});
    release(root);
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
      files: ['CHANGELOG.md'],
    });
    expect(emulator).toMatchObject({ repository: { ...repositoryField, directory: 'emulator' } });
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

/** Returns the folder of a committed repository with two small packages. */
function repository(changes: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'busbar-release-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
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

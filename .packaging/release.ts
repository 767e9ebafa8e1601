/**
 * Checks the repository, packs both packages into `dist/release`, each with its bill of materials, writes `SHA256SUMS` of
 * all, and publishes both packages.
 *
 *     npm run release -- --dry-run    all but the publication
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifestOf } from './manifest.js';
import { pack } from './pack.js';
import { lockedPackages, sbomOf } from './sbom.js';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDryRun = values['dry-run'];
const root = process.cwd();
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const problems = findProblems();
for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
if (problems.length > 0) process.exit(1);

// What an earlier build left in `dist` must not reach the packages.
for (const folder of ['dist', 'emulator/dist']) rmSync(join(root, folder), { recursive: true, force: true });
const destination = join(root, 'dist/release');
mkdirSync(destination, { recursive: true });
const packed = Object.values(pack(destination, root));
const locked = lockedPackages(root);
const released = packed.flatMap(({ manifest, folder, files, tarball }) => {
  const licences = files.filter(({ path }) => path.endsWith('THIRD-PARTY-LICENSES.md'));
  const read = ({ path }: { readonly path: string }) => readFileSync(join(root, folder, path), 'utf8');
  const sbom = tarball.replace(/\.tgz$/, '.cdx.json');
  writeFileSync(sbom, sbomOf(locked, root, manifest.name, licences.map(read)));
  return [tarball, sbom];
});
const sums = released.map((file) => {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${sum}  ${basename(file)}\n`;
});
writeFileSync(join(destination, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));
if (!isDryRun) {
  for (const { tarball } of packed) {
    execFileSync('npm', ['publish', tarball], { cwd: root, stdio: 'inherit' });
  }
}

function findProblems(): string[] {
  const { version, repository } = manifestOf(root);
  const emulator = manifestOf(join(root, 'emulator'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}( .*)?$`, 'm').exec(changelog)?.[0];
  const changed = git('status', '--porcelain').split('\n').filter(Boolean);
  const [first = ''] = changed.map((line) => line.trim().replace(/^\S+ +/, ''));
  const tag = `v${version}`;
  return [
    changed.length > 0 && `Files are not committed, such as "${first}". Commit them.`,
    emulator.version !== version &&
      `"busbar-emulator" has version ${emulator.version} and "busbar" ${version}. Give both the same.`,
    emulator.peerDependencies?.['busbar'] !== version &&
      `"busbar-emulator" needs "busbar" ${emulator.peerDependencies?.['busbar']}. Name ${version} as its peer.`,
    heading === undefined && `CHANGELOG.md has no section "## ${version}". Write it.`,
    !isDryRun &&
      heading?.includes('unreleased') === true &&
      `CHANGELOG.md calls ${version} unreleased. Give it a date.`,
    !isDryRun &&
      repository === undefined &&
      'package.json has no "repository". Give it the address, without ".git".',
    !isDryRun &&
      !git('tag', '--points-at', 'HEAD').split('\n').includes(tag) &&
      `The commit has no tag "${tag}", to which the packed pages link. Add it.`,
  ].filter((problem) => problem !== false);
}

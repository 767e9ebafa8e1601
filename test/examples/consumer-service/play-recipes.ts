/**
 * Runs the recipes of docs/guides/ci.md: copies the example service into a repository that depends on the packed packages, and
 * runs each line there. Then it runs them with a seeded bug, which must be found.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../../package.json' with { type: 'json' };
import { packedDependencies } from '../../pack.js';
import { commands, gitlab, isVerifying } from './recipes.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-recipes-'));
const repository = join(folder, 'moves');

try {
  makeRepository();
  for (const [server, lines] of Object.entries(commands)) {
    for (const line of lines) {
      const { status, stdout, seconds } = play(line);
      console.log(`${server}: ${line}: ended with ${status} after ${seconds} s`);
      if (status !== 0) throw new Error(`It should end with 0:\n${stdout}`);
    }
    const verifying = lines.filter(isVerifying).map((line) => `${line} --only duplicates`);
    for (const line of verifying) {
      const { status, stdout } = play(line, { SEEDED_BUG: 'double-count' });
      console.log(`${server}: ${line}, with a bug: ended with ${status}`);
      if (status !== 1) throw new Error(`It should end with 1:\n${stdout}`);
      expectIn('the report of the bug', stdout + contentOf('contract.xml'), /^::error |<failure /m);
      expectIn('the folder "repro"', readdirSync(join(repository, 'repro')).join(), /repro-\w+\.json/);
      rmSync(join(repository, 'repro'), { recursive: true });
    }
  }
  for (const report of gitlab.contract.artifacts.reports.junit) {
    expectIn(report, contentOf(report), /<testsuite/);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the folder of the example, with the dependencies of its README. */
function makeRepository(): void {
  cpSync(fileURLToPath(new URL('../../../examples/consumer-service', import.meta.url)), repository, {
    recursive: true,
  });
  const own: Readonly<Record<string, string>> = manifest.devDependencies;
  const atOurVersion = (...names: string[]) => Object.fromEntries(names.map((name) => [name, own[name]]));
  writeFileSync(
    join(repository, 'package.json'),
    JSON.stringify({
      name: 'moves',
      private: true,
      type: 'module',
      dependencies: { ...packedDependencies(folder), ...atOurVersion('pg', 'prom-client') },
      // Of Vite, too: the newest may need a package that the registry lacks, which "npm ci" does not forgive.
      devDependencies: atOurVersion('@electric-sql/pglite', 'tsx', 'vite', 'vitest'),
    }),
  );
  // A busy machine is not a failure of the recipes.
  writeFileSync(
    join(repository, 'vitest.config.js'),
    'export default { test: { testTimeout: 1_800_000 } };\n',
  );
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function play(line: string, settings: Readonly<Record<string, string>> = {}) {
  const start = performance.now();
  const { status, stdout } = spawnSync('sh', ['-c', line], {
    cwd: repository,
    env: { ...process.env, ...settings },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { status, stdout, seconds: Math.round((performance.now() - start) / 1000) };
}

function contentOf(file: string): string {
  return readdirSync(repository).includes(file) ? readFileSync(join(repository, file), 'utf8') : '';
}

function expectIn(name: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${name} does not match ${pattern}:\n${text}`);
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Measured, median } from './measure.js';

const root = join(import.meta.dirname, '..');

/** Measurements of each tree. */
const rounds = 3;

/** One figure of both trees, and the ratio of this tree to the other. */
export interface Compared {
  readonly case: string;
  readonly here: number;
  readonly there: number;
  readonly ratio: number;
}

/**
 * Measures benchmarks in this tree and in a tree of another commit, alternately, so that both see the same load. Each
 * figure is the median over the rounds. A case of only one tree is omitted.
 */
export async function against(ref: string, names: readonly string[]): Promise<Map<string, Compared[]>> {
  const other = checkOut(ref);
  try {
    return new Map(names.map((name) => [name, compare(name, other.folder)]));
  } finally {
    other.remove();
  }
}

function compare(name: string, folder: string): Compared[] {
  const here = new Map<string, number[]>();
  const there = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    measureInto(here, root, name);
    measureInto(there, folder, name);
  }
  return [...here]
    .filter(([one]) => there.has(one))
    .map(([one, figures]) => {
      const figure = median(figures);
      const others = median(there.get(one) ?? []);
      return { case: one, here: figure, there: others, ratio: figure / others };
    });
}

/** Runs the benchmark of a tree, as its `npm run bench` does, and adds its figures. */
function measureInto(figures: Map<string, number[]>, folder: string, name: string): void {
  const config = existsSync(join(folder, 'bench/tsconfig.json')) ? ['--tsconfig', 'bench/tsconfig.json'] : [];
  const tsx = join(folder, 'node_modules/tsx/dist/cli.mjs');
  const output = run(folder, process.execPath, tsx, ...config, 'bench/main.ts', name, '--json');
  for (const line of output.trimEnd().split('\n')) {
    const measured = JSON.parse(line) as Measured;
    figures.set(measured.case, [...(figures.get(measured.case) ?? []), measured.ratio]);
  }
}

/** Checks out a commit into a temporary folder and builds it. */
function checkOut(ref: string): { readonly folder: string; remove(): void } {
  const commit = run(root, 'git', 'rev-parse', '--verify', `${ref}^{commit}`).trim();
  const folder = join(root, '.cache', `bench-${commit.slice(0, 12)}-${process.pid}`);
  run(root, 'git', 'worktree', 'add', '--quiet', '--detach', folder, commit);
  const remove = () => void run(root, 'git', 'worktree', 'remove', '--force', folder);
  try {
    if (installedBy(folder) === installedBy(root)) linkModules(folder);
    else run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    run(folder, 'npm', 'run', '--silent', 'build');
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

/** Returns the third-party packages that a tree installs, with their versions. */
function installedBy(tree: string): string {
  const lock = readFileSync(join(tree, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, { readonly link?: boolean }> };
  const others = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules') && !link,
  );
  return JSON.stringify(others);
}

/** Links the installed packages. A link to a package of this repository leads to that package of the other tree. */
function linkModules(folder: string, scope = ''): void {
  const from = join(root, 'node_modules', scope);
  const to = join(folder, 'node_modules', scope);
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name.startsWith('@')) linkModules(folder, entry.name);
    else {
      const target = entry.isSymbolicLink() ? readlinkSync(join(from, entry.name)) : join(from, entry.name);
      // A commit before the two packages has one of them.
      if (existsSync(resolve(to, target))) symlinkSync(target, join(to, entry.name));
    }
  }
}

/** Without the `tsconfig.json` that tsx hands on to every process that it starts. */
function run(cwd: string, program: string, ...args: string[]): string {
  const env = { ...process.env };
  delete env['TSX_TSCONFIG_PATH'];
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

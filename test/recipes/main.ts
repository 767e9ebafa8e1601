/**
 * `npm run test:recipes [-- --part i/n]`: follows each recipe of CONTRIBUTING.md in a copy of the repository and runs the
 * commands that the page names. The last unit follows all recipes in one copy and runs the commands that the page names
 * for every recipe. A part plays every n-th unit. `--only 'Add an error'` plays one, `--verbose` prints the seconds of
 * each command, and `--keep` keeps the copies.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { partOf } from '../part.js';
import { copyRepository } from './copy.js';
import { readRecipes } from './page.js';
import { applyEdit, type Recipe } from './recipe.js';
import { recipes } from './recipes.js';

interface Unit {
  readonly title: string;
  readonly recipes: readonly Recipe[];
  readonly commands: readonly string[];
}

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});
const page = readFileSync(resolve(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8');
let passed = 0;
let failed = 0;
for (const unit of partOf(units(), values.part)) {
  if (values.only !== undefined && unit.title !== values.only) continue;
  const begun = performance.now();
  const failure = play(unit);
  console.log(`${failure === undefined ? 'ok' : 'FAILED'}  ${unit.title} (${secondsSince(begun)} s)`);
  if (failure === undefined) passed += 1;
  else {
    failed += 1;
    console.log(failure);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** @throws Error when the page and the changes of this folder are not about the same recipes */
function units(): Unit[] {
  const written = readRecipes(page);
  const names = (list: readonly { readonly title: string }[]) => list.map(({ title }) => title).join('\n');
  if (names(written.recipes) !== names(recipes)) {
    throw new Error(
      `CONTRIBUTING.md has other recipes than test/recipes/recipes.ts:\n${names(written.recipes)}`,
    );
  }
  const each = recipes.map((recipe, at) => ({
    title: recipe.title,
    recipes: [recipe],
    commands: written.recipes[at]?.commands.map((command) => named(command, recipe.names)) ?? [],
  }));
  // In one copy, only the commands that write files and those of every change: the others played above.
  const writing = each
    .flatMap(({ commands }) => commands)
    .filter((command) => !command.includes('vitest run') || command.endsWith(' -u'));
  const all = { title: 'All recipes', recipes, commands: [...new Set(writing), ...written.common] };
  return [...each, all];
}

function named(command: string, names: Recipe['names'] = {}): string {
  return command.replaceAll(/<(\w+)>/g, (placeholder, name: string) => names[name] ?? placeholder);
}

/** @returns the output of the first command that fails */
function play(unit: Unit): string | undefined {
  if (unit.commands.length === 0) return 'The recipe names no command that proves it.';
  const copy = copyRepository();
  try {
    for (const recipe of unit.recipes) follow(copy, recipe);
    for (const command of unit.commands) {
      const begun = performance.now();
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        // A contributor's machine: vitest writes new snapshots, and no color hides the text of a failure.
        env: { ...process.env, CI: '', NO_COLOR: '1' },
      });
      if (values.verbose) console.log(`    ${secondsSince(begun)} s  ${command}`);
      // A filter that fits no test makes vitest succeed.
      const isIdle = command.includes('vitest run') && !/Tests .*\d passed/.test(stdout);
      if (status !== 0 || isIdle) return `$ ${command}\n${endOf(`${stdout}${stderr}`)}`;
    }
    return undefined;
  } finally {
    if (values.keep) console.log(`Kept ${copy}`);
    else rmSync(copy, { recursive: true });
  }
}

/** The last 150 lines, without those of files that passed. */
function endOf(output: string): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith(' ✓ '));
  return lines.length <= 150 ? lines.join('\n') : ['...', ...lines.slice(-150)].join('\n');
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

function follow(copy: string, { files, edits }: Recipe): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    writeFileSync(join(copy, file), text.replace(/^\n/, ''));
  }
  for (const edit of edits) {
    const path = join(copy, edit.file);
    writeFileSync(path, applyEdit(readFileSync(path, 'utf8'), edit));
  }
}

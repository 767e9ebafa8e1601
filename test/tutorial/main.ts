/**
 * `npm run test:tutorial`: follows the tutorial of a Python service in an empty folder that has the packed packages. Saves
 * the blocks that name a file, runs those tagged `sh`, and compares their output with the next block.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pack } from '../../.packaging/pack.js';
import { run } from '../interop/command.js';
import { Outcomes } from '../interop/outcomes.js';
import { provideNode, providePackages, providePrograms, Unavailable } from '../interop/provide.js';
import { type Block, blocksOf, isOutput } from '../read-blocks.js';

const page = 'docs/tutorial/verify-a-python-service.md';
const outcomes = new Outcomes();
const folder = mkdtempSync(join(tmpdir(), 'busbar-tutorial-'));
try {
  await provideVenv();
  const env = { PATH: `${await nodeFolder()}${process.env['PATH']}`, NO_COLOR: '1' };
  pack(folder);
  for (const block of blocksOf(page)) {
    if (block.language === 'sh') {
      if (!(await passes(block, env))) break;
    } else if (block.tags !== '') writeFileSync(join(folder, block.tags), block.code);
  }
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  outcomes.notRun(page, error.message);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
outcomes.summarise();

async function passes(
  { where, code, output: shown = '…' }: Block,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const expected = shown.includes('FAILED') ? 1 : 0;
  const begun = performance.now();
  const ended = await run('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env,
    timeoutMs: 600_000,
  });
  const what = `${where}: ${code.trim().split('\n').at(-1)}`;
  const isRight = ended.code === expected && isOutput(ended.output, shown);
  if (isRight) outcomes.passed(`${what}, ${Math.round((performance.now() - begun) / 1000)} s`);
  else
    outcomes.failed(what, `ended with ${ended.code}, and the page shows other lines than\n${ended.output}`);
  return isRight;
}

/** @throws {Unavailable} */
async function provideVenv(): Promise<void> {
  await providePrograms({ python3: 'python3' });
  if ((await run('python3', ['-c', 'import ensurepip, venv'])).code !== 0)
    await providePackages(['python3-venv']);
}

/** Returns the folder of a Node with a SQLite driver, for the front of PATH; nothing if this one has it. */
async function nodeFolder(): Promise<string> {
  const hasDriver = process.getBuiltinModule('node:sqlite') !== undefined;
  return hasDriver ? '' : `${dirname(await provideNode(22))}${delimiter}`;
}

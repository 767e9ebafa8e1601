/**
 * `npm run test:mutation [-- --only NAME] [--part i/n]`: changes the code of each subject of subjects.ts, one place at a
 * time, and plays its tests. At least 90 % of the changes must make a test fail. Every other one needs an explanation in
 * survivors.json. A part plays every n-th subject.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../interop/command.js';
import { cache, installPackages } from '../interop/provide.js';
import { partOf } from '../part.js';
import { root } from '../read-sources.js';
import { type Report, type Survivor, survivorsOf } from './report.js';
import { type Subject, subjects, testsVariable } from './subjects.js';

const version = '9.6.1';
/** Share of the changes that must make a test fail. */
const leastKilled = 0.9;
/** Time in milliseconds that a change may add to its tests. On a busy machine, fewer would count slow tests as failed. */
const slowest = 30_000;
/** Milliseconds. Ends what hangs. */
const hanging = 4 * 60 * 60_000;

const { values } = parseArgs({
  options: { part: { type: 'string' }, only: { type: 'string', default: '' } },
});
const explained = JSON.parse(
  readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8'),
) as Explanation[];
const stryker = await provideStryker();
let failed = 0;
for (const subject of partOf(subjects, values.part).filter(({ name }) => name.includes(values.only))) {
  const problems = judge(subject, await mutate(subject));
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;

/** Changes of a line that no test can notice: all of them, or those to the text `to`. */
interface Explanation {
  readonly file: string;
  readonly code: string;
  readonly to?: string;
  readonly why: string;
}

/** Returns what is wrong with a subject's result, one line each. */
function judge(subject: Subject, report: Report): string[] {
  const { mutants, survivors } = survivorsOf(report);
  const killed = (mutants - survivors.length) / mutants;
  const open = survivors.filter((survivor) => !explained.some((each) => explains(each, survivor)));
  const vanished = explained.filter(
    (each) => each.file in report.files && !survivors.some((survivor) => explains(each, survivor)),
  );
  const percent = (100 * killed).toFixed(1);
  console.log(
    `${subject.name}: ${mutants} changes, ${percent} % make a test fail, ${survivors.length - open.length} of the others are explained.`,
  );
  return [
    ...(killed < leastKilled ? [`Fewer than ${100 * leastKilled} % of the changes make a test fail.`] : []),
    ...open.map(
      ({ file, line, from, to }) => `No test fails: ${file}:${line}: ${inLine(from)} -> ${inLine(to)}`,
    ),
    ...vanished.map(({ file, code }) => `A test fails now, delete it from survivors.json: ${file}: ${code}`),
  ];
}

function explains({ file, code, to }: Explanation, survivor: Survivor): boolean {
  return file === survivor.file && code === survivor.code && (to ?? survivor.to) === survivor.to;
}

function inLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').slice(0, 160);
}

async function mutate({ name, files, tests }: Subject): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-mutation-'));
  const report = join(folder, 'report.json');
  const settings = {
    testRunner: 'vitest',
    plugins: [join(stryker, '@stryker-mutator/vitest-runner/dist/src/index.js')],
    mutate: files,
    vitest: { configFile: relative(root, join(import.meta.dirname, 'vitest.config.ts')), related: false },
    coverageAnalysis: 'perTest',
    timeoutMS: slowest,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    tempDirName: join(folder, 'copy'),
    ignorePatterns: ['docs', 'bench', 'dist', 'emulator/dist'],
  };
  const file = join(folder, 'stryker.json');
  writeFileSync(file, JSON.stringify(settings));
  try {
    const { code, output } = await run(
      process.execPath,
      [join(stryker, '@stryker-mutator/core/bin/stryker.js'), 'run', file],
      { cwd: root, env: { [testsVariable]: tests.join(' ') }, timeoutMs: hanging },
    );
    if (code !== 0 || !existsSync(report)) throw new Error(`Stryker could not change "${name}":\n${output}`);
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a folder of packages with Stryker. It uses Vitest and TypeScript of the repository. */
async function provideStryker(): Promise<string> {
  const folder = join(cache, `stryker-${version}`);
  const packages = join(folder, 'node_modules');
  if (!existsSync(join(packages, '@stryker-mutator/vitest-runner'))) {
    const wanted = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
    await installPackages(folder, wanted, '--legacy-peer-deps');
  }
  for (const name of ['vitest', 'typescript']) {
    rmSync(join(packages, name), { recursive: true, force: true });
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  return packages;
}

/**
 * The bytes of a run must not depend on the version of Node: plays some by the built command under each and compares. Each
 * version also merges four shards of a run, and resumes a run whose recording was cut.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideNode, Unavailable } from './interop/provide.js';

const majors = [22, 24, 26];
const root = join(import.meta.dirname, '..');
/** A story, and a population in which all that a run can do to its events is done. */
const runs = [
  ['--scenario', 'house-move', '--seed', '7', '--instances', '50'],
  [
    ...['--scenario', 'everyday', '--accounts', '20000', '--seed', '7', '--duration', 'PT12H'],
    ...['--vary', 'times,objects,keys,order,enums,empty-ends'],
    '--faults',
    'duplicate=2%,reorder=5%:30s,delay=5%:10m,drop=1%,corrupt=1%,invalid=1%,unknown-event=1%,unknown-version=1%,extra-field=5%,burst=5x:10m:20%',
  ],
];

/** A story, and a population whose bills and payments are due in the run. */
const whole = [
  ['--scenario', 'house-move', '--instances', '20'],
  ['--scenario', 'everyday', '--accounts', '2000', '--duration', 'P10D'],
];
const shards = 4;
const folder = mkdtempSync(join(tmpdir(), 'busbar-node-versions-'));

const play = (node: string, run: readonly string[]) =>
  execFileSync(node, ['emulator/dist/cli/main.js', ...run, '--instant'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
const linesOf = (node: string, run: readonly string[]) =>
  play(node, [...run, '--to', 'stdout'])
    .toString()
    .trimEnd()
    .split('\n');

const hash = (node: string) => {
  const sum = createHash('sha256');
  for (const run of runs) sum.update(play(node, [...run, '--to', 'stdout']));
  for (const [nth, run] of whole.entries()) {
    const lines = linesOf(node, run);
    const split = Array.from({ length: shards }, (_, index) =>
      linesOf(node, [...run, '--shard', `${index + 1}/${shards}`]),
    );
    requireSame(`${shards} shards of run ${nth + 1}`, split.flat().sort(), [...lines].sort());
    const recording = join(folder, 'run.ndjson');
    rmSync(recording, { force: true });
    play(node, [...run, '--record', recording, '--to', 'stdout']);
    const recorded = readFileSync(recording);
    truncateSync(recording, Math.floor(recorded.length * 0.6));
    play(node, ['--resume', recording, '--to', 'stdout']);
    requireSame(`the resumed run ${nth + 1}`, [readFileSync(recording, 'utf8')], [recorded.toString()]);
    sum.update(lines.join('\n'));
  }
  return sum.digest('hex');

  function requireSame(what: string, found: readonly string[], expected: readonly string[]): void {
    if (found.length === expected.length && found.every((line, nth) => line === expected[nth])) return;
    console.error(`On ${node}, ${what} has other bytes than the whole run.`);
    process.exitCode = 1;
  }
};

const expected = hash(process.execPath);
console.log(`${process.version}: ${expected}`);
for (const major of majors) {
  const node = await provideNode(major).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    console.log(`NOT RUN: Node ${major}: ${error.message}`);
  });
  if (node === undefined) continue;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const found = hash(node);
  console.log(`${version}: ${found}`);
  if (found !== expected) {
    console.error(`The same runs have other bytes on Node ${version} than on ${process.version}.`);
    process.exitCode = 1;
  }
}
rmSync(folder, { recursive: true });

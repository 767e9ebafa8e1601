/** The bytes of a run must not depend on the version of Node: plays some by the built command under each and compares. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { provideNode, Unavailable } from './interop/provide.js';

const majors = [22, 24];
const root = new URL('..', import.meta.url).pathname;
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

const hash = (node: string) => {
  const sum = createHash('sha256');
  for (const run of runs) {
    const command = ['emulator/dist/cli/main.js', ...run, '--instant', '--to', 'stdout'];
    sum.update(
      execFileSync(node, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 }),
    );
  }
  return sum.digest('hex');
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

/**
 * `npm run check`: everything that must hold before a change lands. The build and the tests run alone, the other steps two
 * at a time: most use one processor. Their output appears when they end.
 *
 *     npm run check                      all steps
 *     npm run check -- --only types      one of them
 *     npm run check -- --except tests    all but one
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

interface Step {
  readonly name: string;
  /** Remedy for a failure. */
  readonly remedy: string;
  readonly command: readonly [program: string, ...args: string[]];
}

// The benchmarks import what it writes, and have no types without it. Packing would write it, too.
const build: Step = {
  name: 'build',
  remedy: 'npm run build',
  command: ['node', '.packaging/build-if-changed.js'],
};
const tests: Step = { name: 'tests', remedy: 'npm test', command: ['npm', 'test'] };

/** In the order in which they begin. */
const others: readonly Step[] = [
  { name: 'lint', remedy: 'npm run lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'format', remedy: 'npm run format', command: ['npx', 'biome', 'format', '.'] },
  { name: 'types', remedy: 'npm run types', command: ['npm', 'run', '--silent', 'types'] },
  {
    name: 'generated is current',
    remedy: 'npm run generate',
    command: ['npm', 'run', '--silent', 'generate', '--', '--check'],
  },
  {
    name: 'documentation site',
    remedy: 'npm run --prefix docs check',
    command: ['npm', 'run', '--silent', '--prefix', 'docs', 'check'],
  },
  {
    name: 'recipes for CI',
    remedy: 'npx tsx test/examples/consumer-service/play-recipes.ts',
    command: ['npx', 'tsx', 'test/examples/consumer-service/play-recipes.ts'],
  },
  { name: 'package', remedy: 'npx tsx test/package.ts', command: ['npx', 'tsx', 'test/package.ts'] },
  {
    name: 'test runners',
    remedy: 'npx tsx test/test-runners.ts',
    command: ['npx', 'tsx', 'test/test-runners.ts'],
  },
  {
    name: 'node versions',
    remedy: 'npx tsx test/node-versions.ts',
    command: ['npx', 'tsx', 'test/node-versions.ts'],
  },
];

const { values } = parseArgs({ options: { only: { type: 'string' }, except: { type: 'string' } } });
const names = [build, ...others, tests].map(({ name }) => name);
for (const name of [values.only, values.except]) {
  if (name === undefined || names.includes(name)) continue;
  process.stderr.write(`There is no step "${name}". Steps: ${names.join(', ')}.\n`);
  process.exit(2);
}

const failed: Step[] = [];
const isWanted = ({ name }: Step) => name !== values.except && name === (values.only ?? name);
const wanted = [[build], others, [tests]].map((group) => group.filter(isWanted));
for (const group of wanted) {
  const waiting = [...group];
  const playAll = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      await play(step, group.length === 1);
    }
  };
  await Promise.all([playAll(), playAll()]);
}

console.log(`\nsteps: ${wanted.flat().length - failed.length} passed, ${failed.length} failed`);
for (const { name, remedy } of failed)
  console.log(`"${name}" failed. To run it alone, or to fix it: ${remedy}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function play(step: Step, isAlone: boolean): Promise<void> {
  const begun = performance.now();
  const title = `\n== ${step.name}`;
  const [program, ...args] = step.command;
  if (isAlone) console.log(title);
  const child = spawn(program, args, { stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (!isAlone) console.log(`${title}\n${output}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`== ${step.name}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) failed.push(step);
}

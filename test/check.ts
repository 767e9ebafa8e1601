/**
 * `npm run check`: everything that must hold before a change lands, in the order in which it fails fastest.
 *
 *     npm run check                      all steps
 *     npm run check -- --only types      one of them
 *     npm run check -- --except tests    all but one
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

interface Step {
  readonly name: string;
  /** Remedy for a failure. */
  readonly remedy: string;
  readonly command: readonly string[];
}

const steps: readonly Step[] = [
  // The benchmarks import what it writes, and have no types without it.
  { name: 'build', remedy: 'npm run build', command: ['node', '.packaging/build-if-changed.js'] },
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
  { name: 'tests', remedy: 'npm test', command: ['npm', 'test'] },
  { name: 'package', remedy: 'npx tsx test/package.ts', command: ['npx', 'tsx', 'test/package.ts'] },
  {
    name: 'test runners',
    remedy: 'npx tsx test/test-runners.ts',
    command: ['npx', 'tsx', 'test/test-runners.ts'],
  },
  {
    name: 'recipes for CI',
    remedy: 'npx tsx test/examples/consumer-service/play-recipes.ts',
    command: ['npx', 'tsx', 'test/examples/consumer-service/play-recipes.ts'],
  },
  {
    name: 'node versions',
    remedy: 'npx tsx test/node-versions.ts',
    command: ['npx', 'tsx', 'test/node-versions.ts'],
  },
];

const { values } = parseArgs({ options: { only: { type: 'string' }, except: { type: 'string' } } });
for (const name of [values.only, values.except]) {
  if (name !== undefined && !steps.some((step) => step.name === name)) {
    process.stderr.write(
      `There is no step "${name}". Steps: ${steps.map((step) => step.name).join(', ')}.\n`,
    );
    process.exit(2);
  }
}

const failed: Step[] = [];
const wanted = steps.filter(({ name }) => name !== values.except && name === (values.only ?? name));
for (const step of wanted) {
  const begun = performance.now();
  console.log(`\n== ${step.name}`);
  const [program, ...args] = step.command as [string, ...string[]];
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`== ${step.name}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) failed.push(step);
}

console.log(`\nsteps: ${wanted.length - failed.length} passed, ${failed.length} failed`);
for (const { name, remedy } of failed)
  console.log(`"${name}" failed. To run it alone, or to fix it: ${remedy}`);
process.exitCode = failed.length === 0 ? 0 : 1;

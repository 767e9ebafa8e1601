import { execFileSync } from 'node:child_process';
import { emulate } from '../built.js';
import type { Measured } from '../measure.js';

/** Reports the processor time of its process, in seconds, as the last line: below what verify moves to standard error. */
const reporting = `import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(1, (user + system) / 1e6 + '\\n');
});`;

/** Verifies the example of a service, whose PostgreSQL is in the process. */
export function ofExample(): Measured {
  const preload = `data:text/javascript,${encodeURIComponent(reporting)}`;
  const args = ['--import', preload, emulate, 'verify', 'examples/consumer-service/consumer.ts', '--quiet'];
  const output = execFileSync(process.execPath, args, {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  });
  const seconds = Number(output.trim().split('\n').at(-1));
  return { case: 'the example with PostgreSQL: CPU', ratio: seconds, unit: 's', target: 15 };
}

/**
 * `npm run test:postgres [-- --part i/n]`: the inbox on a PostgreSQL server, which is started for it on a socket in a
 * temporary folder; the example service as a process; a service under verification; and members of a group that write
 * through it while they are killed and cut off. A part plays every n-th of these four.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { partOf } from '../../part.js';
import { Unavailable } from '../provide.js';
import { startPostgres } from './start-postgres.js';

const { values } = parseArgs({ options: { part: { type: 'string' } } });
const folders = [
  'test/src/idempotency',
  'test/examples/consumer-service/process',
  'test/known-answers/postgres',
  'test/interop/faults/inbox',
];

try {
  process.exitCode = await checkOnServer();
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`NOT RUN: the inbox on a PostgreSQL server: ${error.message}`);
  process.exitCode = 1;
}

async function checkOnServer(): Promise<number> {
  const postgres = await startPostgres();
  try {
    console.log(`PostgreSQL ${postgres.version}`);
    // One after the other: each has the database to itself.
    for (const tests of partOf(folders, values.part)) {
      const code = await runTests(tests, postgres.url);
      if (code !== 0) return code;
    }
    return 0;
  } finally {
    await postgres.stop();
  }
}

async function runTests(path: string, url: string): Promise<number> {
  const env = { ...process.env, BUSBAR_POSTGRES: url };
  const child = spawn('npx', ['vitest', 'run', path], { stdio: 'inherit', env });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

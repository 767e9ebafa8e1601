/**
 * `npm run test:postgres`: the inbox on a PostgreSQL server, which is started for it on a socket in a temporary folder;
 * then members of a group that write through it while they are killed and cut off.
 */
import { spawn } from 'node:child_process';
import { Unavailable } from '../provide.js';
import { startPostgres } from './start-postgres.js';

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
    const environment = { ...process.env, BUSBAR_POSTGRES: postgres.url };
    const tests = ['vitest', 'run', 'test/src/idempotency', 'test/interop/faults/inbox.test.ts'];
    const child = spawn('npx', tests, { stdio: 'inherit', env: environment });
    return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    await postgres.stop();
  }
}

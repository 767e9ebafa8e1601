/**
 * `npm run test:load [-- --part i/n]`: 1,000 clients that keep their connections read products for 30 seconds, without an
 * error. A part takes an n-th of the time.
 */
import { parseArgs } from 'node:util';
import { startEmulator } from '../../emulator/index.js';
import { silentLogger } from '../../src/base/logger.js';
import { keepAliveClients } from '../emulator/platform-api/keep-alive-clients.js';
import { readPart } from '../part.js';

const clients = 1000;
const { values } = parseArgs({ options: { part: { type: 'string' } } });
const seconds = 30 / readPart(values.part).count;

const emulator = await startEmulator({
  scenario: 'house-move',
  run: { paused: true },
  kafka: false,
  http: { port: 0 },
  logger: silentLogger,
});
const until = performance.now() + seconds * 1000;
const { answered, failed } = await keepAliveClients(
  `${emulator.apiUrl ?? ''}products/`,
  clients,
  () => performance.now() < until,
);
await emulator.stop();
console.log(`${clients} clients, ${seconds} s: ${answered} responses, ${failed.length} errors`);
for (const why of new Set(failed)) console.log(`  ${why}`);
process.exitCode = failed.length === 0 && answered > clients ? 0 : 1;

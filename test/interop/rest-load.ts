/** `npm run test:load`: 1,000 clients that keep their connections read products for 30 seconds, without an error. */
import { startEmulator } from '../../emulator/index.js';
import { silentLogger } from '../../src/base/logger.js';
import { keepAliveClients } from '../emulator/platform-api/keep-alive-clients.js';

const clients = 1000;
const seconds = 30;

const emulator = await startEmulator({
  scenario: 'house-move',
  paused: true,
  kafkaPort: false,
  httpPort: 0,
  logger: silentLogger,
});
const until = performance.now() + seconds * 1000;
const { answered, failed } = await keepAliveClients(
  `${emulator.apiUrl ?? ''}products/`,
  clients,
  () => performance.now() < until,
);
await emulator.stop();
console.log(`${clients} clients, ${seconds} s: ${answered} answers, ${failed.length} errors`);
for (const why of new Set(failed)) console.log(`  ${why}`);
process.exitCode = failed.length === 0 && answered > clients ? 0 : 1;

/**
 * `npm run test:interop [-- NAME...] [--part i/n]`: the embedded broker against clients that no one here wrote. Each
 * client checks what it sent against what it received and the offsets that it committed; the broker's own state is
 * checked after it. A part plays every n-th client.
 */
import { parseArgs } from 'node:util';
import { startBroker } from '../../emulator/broker/index.js';
import { partOf } from '../part.js';
import { type Client, clients } from './clients.js';
import { Outcomes } from './outcomes.js';
import { lastLine, Unavailable } from './provide.js';
import { verifyBroker } from './verify-broker.js';

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string' } },
});
const unknown = wanted.find((name) => !clients.some((client) => client.name === name));
if (unknown !== undefined) {
  console.error(
    `Client "${unknown}" does not exist. Use one of ${clients.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const outcomes = new Outcomes();
const named = clients.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const client of partOf(named, values.part)) await check(client);
outcomes.summarise();

async function check({ name, run }: Client): Promise<void> {
  const warnings: string[] = [];
  const keep = (message: string): void => void warnings.push(message);
  const ignore = (): void => undefined;
  const broker = await startBroker({
    port: 0,
    defaultPartitions: 3,
    logger: { debug: ignore, info: ignore, warn: keep, error: keep },
  });
  const { bootstrapServers } = broker;
  try {
    const { code, output } = await run({ bootstrapServers, prefix: name });
    let checks = 0;
    for (const line of output.split('\n')) {
      const [, verdict, what = '', why = ''] = /^(ok|not ok|skip) (.+?)(?:: ([^:]*))?$/.exec(line) ?? [];
      if (verdict === undefined) continue;
      checks += 1;
      if (verdict === 'ok') outcomes.passed(`${name}: ${line.slice(3)}`);
      else if (verdict === 'skip') outcomes.notRun(`${name}, ${what}`, why);
      else outcomes.failed(name, line.slice('not ok '.length));
    }
    if (code !== 0 || checks === 0) outcomes.failed(name, `ended with ${code}: ${lastLine(output)}`);
    verifyBroker(name, broker.inspect(), outcomes);
    for (const warning of new Set(warnings)) console.log(`        broker: ${warning}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    outcomes.notRun(name, error.message);
  } finally {
    await broker.stop();
  }
}

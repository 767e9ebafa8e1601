/**
 * `npm run test:interop [-- NAME...]`: the embedded broker against clients that no one here wrote. Each client checks
 * what it sent against what it received and the offsets that it committed; the broker's own state is checked after it.
 */
import { startBroker } from '../../emulator/broker/index.js';
import { type Client, clients } from './clients.js';
import { Outcomes } from './outcomes.js';
import { lastLine, Unavailable } from './provide.js';
import { verifyBroker } from './verify-broker.js';

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !clients.some((client) => client.name === name));
if (unknown !== undefined) {
  console.error(`There is no client "${unknown}". There are: ${clients.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const outcomes = new Outcomes();
for (const client of clients) {
  if (wanted.length === 0 || wanted.includes(client.name)) await check(client);
}
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

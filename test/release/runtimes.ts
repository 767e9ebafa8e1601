import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../interop/command.js';
import { installPackages } from '../interop/provide.js';

/** Other runtimes than Node, by the packages of npm that carry their binaries. */
export const runtimes = {
  bun: { version: '1.4.5', args: [] },
  deno: { version: '2.9.6', args: ['run', '--allow-all'] },
} as const;

/** A program that uses the parts of both packages which depend most on the runtime. */
const program = `
import assert from 'node:assert/strict';
import { createConsumer, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { kafka } from 'busbar/kafka';
import { serveOperations } from 'busbar/operations';
import { websocket } from 'busbar/websocket';
import { startEmulator } from 'busbar-emulator';
import { createTestBench, event, given } from 'busbar-emulator/testing';

const emulator = await startEmulator({
  scenario: 'house-move', speed: 'instant', kafka: { port: 0 }, http: { port: 0 }, logger: silentLogger,
});
const makeConsumer = (handle) => {
  const consumer = createConsumer({ name: 'bills', logger: silentLogger });
  consumer.use(idempotent({ store: memoryStore() }));
  consumer.on('billing.final_bill', 'v1', handle);
  return consumer;
};
const transports = {
  Kafka: kafka({ brokers: [emulator.bootstrapServers], groupId: 'bills', topics: ['platform.events'], fromBeginning: true }),
  WebSocket: websocket({ url: emulator.streamUrl, consumer: 'bills' }),
};
for (const [name, transport] of Object.entries(transports)) {
  let running;
  await new Promise(async (handled) => {
    running = await makeConsumer(handled).run(transport);
  });
  const operations = await serveOperations(running, { port: 0 });
  const { status } = await fetch('http://127.0.0.1:' + operations.port + '/healthz');
  assert.equal(status, 200);
  await operations.stop();
  await running.stop();
  console.log('consumes over ' + name);
}
assert.equal((await fetch(emulator.url)).status, 200);
await emulator.stop();
const accounts = new Set();
const bench = createTestBench(makeConsumer(({ payload }) => void accounts.add(payload.account_number)));
await given(bench)
  .when(event('billing.final_bill', 'v1', { account_number: 'A-1B2C3D4E' }))
  .thenState(() => accounts, new Set(['A-1B2C3D4E']));
await bench.stop();
console.log('tests a consumer');
process.exit();
`;

/** Runs the program, and a run of `emulate`, in a project with both packages. @throws {Unavailable} Error */
export async function tryRuntime(
  name: keyof typeof runtimes,
  project: string,
  expected: string,
): Promise<void> {
  const { version, args } = runtimes[name];
  const packages = await installPackages(join(project, name), [`${name}@${version}`]);
  const runtime = join(packages, '.bin', name);
  writeFileSync(join(project, 'try.mjs'), program);
  const tried = await run(runtime, [...args, 'try.mjs'], { cwd: project });
  if (tried.code !== 0) throw new Error(tried.output);
  const emulate = 'node_modules/busbar-emulator/bin/emulate.js';
  const flags = ['--scenario', 'house-move', '--instant', '--to', 'stdout'];
  const lines = (await run(runtime, [...args, emulate, ...flags], { cwd: project })).output;
  if (!lines.includes(expected)) throw new Error('The bytes of a run differ from those on Node.');
}

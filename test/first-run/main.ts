/**
 * `npm run test:first-run`: does what a stranger does in the first minutes, in an empty folder, with an empty cache of
 * npm and the packed packages. Prints the seconds of each step next to its limit. A slow machine may exceed a limit.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { asHandler } from '../../emulator/dashboard/client/event/snippets.js';
import { freePort } from '../../examples/start/free-port.js';
import { pack } from '../../.packaging/pack.js';
import { receivedByKafkaClient } from './kafka-client.js';
import { openSearch } from './search-site.js';
import { type Dev, startDev } from './start-dev.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-first-run-'));
const service = join(folder, 'my-service');
const consumer = join(service, 'src/consumer.ts');
const env: NodeJS.ProcessEnv = {
  ...process.env,
  npm_config_cache: join(folder, 'cache'),
  npm_config_update_notifier: 'false',
  NO_COLOR: '1',
};
const counts = { passed: 0, failed: 0 };

/** Runs a step, and reports its time. `limit` is in seconds. */
async function step<T>(name: string, limit: number, run: () => T | Promise<T>): Promise<T | undefined> {
  const begun = performance.now();
  try {
    const result = await run();
    const seconds = (performance.now() - begun) / 1000;
    const isSlow = seconds > limit ? `, longer than ${limit} s` : '';
    console.log(`ok      ${name} (${seconds.toFixed(1)} s${isSlow})`);
    counts.passed++;
    return result;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    counts.failed++;
    return undefined;
  }
}

/** Runs a command to its end, and returns its output. */
function run(command: string, { code = 0, cwd = service, path = '' } = {}): string {
  const PATH = [path, env['PATH']].filter(Boolean).join(delimiter);
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    encoding: 'utf8',
    env: { ...env, PATH },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = stdout + stderr;
  if (status !== code) throw new Error(`"${command}" ended with ${status}, not with ${code}:\n${output}`);
  return output;
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${String(pattern)} is not in:\n${text}`);
}

function edit(change: (source: string) => string): void {
  writeFileSync(consumer, change(readFileSync(consumer, 'utf8')));
}

async function expectFreePorts(): Promise<void> {
  for (const port of [4100, 9092]) {
    if ((await freePort(port)) !== port)
      throw new Error(`Port ${port} is not free. Stop the program that listens on it.`);
  }
}

let dev: Dev | undefined;
try {
  await expectFreePorts();
  const { busbar, emulator } = pack(folder);
  const begun = performance.now();

  await step('1 busbar init my-service', 45, () => {
    const output = run(`npx --yes --package=${busbar.tarball} busbar init my-service`, { cwd: folder });
    expect(output, /Created 7 files[^]*1\. cd my-service && npm run dev[^]*2\. [^]*3\. /);
    if (output.includes('npm warn')) throw new Error(`npm warns:\n${output}`);
  });
  await step('2 npm run dev prints the dashboard', 2, async () => {
    dev = startDev('npm run dev', service, env);
    const [, url = ''] = await dev.line(/Dashboard: (\S+)/);
    const { status } = await fetch(url);
    if (status !== 200) throw new Error(`${url} responds with ${status}.`);
  });
  await step('3 the first event is handled', 5, () => dev?.line(/A customer leaves/));
  const untilFirstEvent = Math.round((performance.now() - begun) / 1000);
  await step('9 a Kafka client receives events', 5, () => receivedByKafkaClient('localhost:9092'));
  await step('11 Ctrl-C ends it with 130 and frees the ports', 1, async () => {
    const code = await dev?.interrupt();
    if (code !== 130) throw new Error(`"npm run dev" ended with ${code}.`);
    await expectFreePorts();
  });
  await step('4 the compiler names a mistyped field and its file', 10, () => {
    const correct = readFileSync(consumer, 'utf8');
    edit((source) => source.replace('payload.account_number', 'payload.acount_number'));
    expect(run('npx tsc --noEmit', { code: 2 }), /src\/consumer\.ts.*'acount_number' does not exist/);
    edit(() => correct);
  });
  await step('5 a handler of the dashboard compiles and handles an event', 30, async () => {
    const written = {
      type: 'lifecycle.join-supplier.requested',
      version: 'v1',
      key: null,
      headers: {},
      line: '',
    };
    const handler = asHandler({ ...written, payload: { account_number: '' } }).replace(/^import.*\n/, '');
    const added = handler.replace('\non(', 'counter.on(');
    edit((source) => source.replace('  return counter;', `${added}\n  return counter;`));
    run('npx tsc --noEmit');
    dev = startDev('npm run dev', service, env);
    await dev.line(/^A-[0-9A-F]{8}$/m);
    await dev.interrupt();
  });
  await step('6 npm test', 10, () => expect(run('npm test'), /pass 1\b/));
  await step('7 npm run verify finds the bug', 20, () => {
    const output = run('npm run verify', { code: 1 });
    expect(output, /✗ \w+ .*applies an event again[^]*emulate verify src\/consumer\.ts --repro repro-/);
  });
  await step('8 npm run verify accepts the fix', 20, () => {
    const imports = "import { idempotent, memoryStore } from 'busbar/idempotency';\n";
    const fix = '  counter.use(idempotent({ store: memoryStore({ ttl: Infinity }) }));\n';
    edit((source) =>
      source.replace('\n\n', `\n${imports}\n`).replace(/.*createConsumer\(\{.*\n/, `$&${fix}`),
    );
    expect(run('npm run verify'), /Passed\. /);
  });
  const site = join(import.meta.dirname, '../../docs/.vitepress/dist');
  if (existsSync(site)) {
    await step('10 the site finds the page of an event', 1, async () => {
      const pages = (await openSearch(site))('final_bill');
      expect(pages.slice(0, 3).join('\n'), /billing\.final_bill-v1/);
    });
  } else {
    console.log('NOT RUN: 10 the search of the site: the site is not built');
  }

  const managers = { pnpm: 'pnpm', yarn: '@yarnpkg/cli-dist', bun: 'bun' };
  for (const [manager, source] of Object.entries(managers)) {
    const tool = join(folder, manager);
    mkdirSync(tool);
    writeFileSync(join(tool, 'package.json'), '{}');
    const { status } = spawnSync(`npm install --no-audit --no-fund ${source}`, {
      cwd: tool,
      env,
      shell: true,
    });
    const path = join(tool, 'node_modules/.bin');
    if (status !== 0 || !existsSync(join(path, manager))) {
      console.log(`NOT RUN: ${manager}: no binary package for this platform`);
      continue;
    }
    await step(`${manager}: init, test and dev`, 45, async () => {
      const name = `with-${manager}`;
      const command = join(service, 'node_modules/.bin/busbar');
      const options = `--package-manager ${manager} --packages ${dirname(emulator.tarball)}`;
      run(`${command} init ${name} ${options}`, { cwd: folder, path });
      run(`${manager} run test`, { cwd: join(folder, name), path });
      const PATH = `${path}${delimiter}${env['PATH'] ?? ''}`;
      dev = startDev(`${manager} run dev`, join(folder, name), { ...env, PATH });
      await dev.line(/A customer leaves/);
      await dev.interrupt();
    });
  }
  const files = readdirSync(join(service, 'node_modules')).length;
  console.log(
    `\nA stranger sees the first event after ${untilFirstEvent} s (${files} packages, npm, empty cache).`,
  );
} finally {
  await dev?.interrupt();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openCatalogue, silentLogger } from 'busbar';
import { type Emulator, type Sink, startEmulator } from 'busbar-emulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { handlerOf } from '../docs/.vitepress/reference/event-page.js';
import { fieldsOf } from '../docs/.vitepress/reference/fields.js';
import { playsAll } from './cases.js';
import { type commands, run } from './command.js';
import { expectToCompile } from './compile.js';
import { type Block, blocksIn, isOutput, pages } from './read-blocks.js';
import { root } from './read-sources.js';
import { type StartedBlock, startBlock, startScript } from './start-block.js';

const costly = /verifyConsumer\(|describeContract\(|from 'vitest'/;

describe('the documentation', () => {
  it('contains TypeScript that compiles, in pages and in the events of the site', async () => {
    const sources = blocksIn('ts').map(({ where, code }) => [where, code] as const);
    // A block that declares events declares them for all files of its program.
    const [declaring = [], others = []] = [true, false].map((declares) =>
      sources.filter(([, code]) => code.includes('declare module') === declares),
    );
    expect(others.length).toBeGreaterThan(0);
    expectToCompile({ ...Object.fromEntries(others), handlers: await handlersOfAllEvents() });
    expectToCompile(Object.fromEntries(declaring));
  });

  const programs = blocksIn('ts')
    // One needs a PostgreSQL server, one a consumer in another process.
    .filter(({ code }) => !code.includes("from 'pg'") && !/^declare const/m.test(code))
    // Here every tenth, and none that plays every check or is a whole run of Vitest. All compile.
    .filter(({ code, isRun }, nth) => playsAll || isRun || (nth % 10 === 0 && !costly.test(code)))
    .map((block) => [block.where, block] as const);
  it.each(programs)(
    'contains a program at %s that runs to its end',
    async (_where, block) => expectToEnd(block, startBlock),
    180_000,
  );

  const scripts = blocksIn('sh').flatMap((block) => (block.isRun ? [[block.where, block] as const] : []));
  it.each(scripts)(
    'contains a script at %s that prints what follows it',
    async (_where, block) => expectToEnd(block, startScript),
    180_000,
  );

  const ownCommands = blocksIn('sh').flatMap(({ where, code }) =>
    code
      .split('\n')
      .map((line) => /^npx (emulate|busbar) ([^#>|]*)/.exec(line))
      .filter((match) => match !== null)
      // What serves until it is stopped is started by other tests.
      .filter(([, command, args]) => command === 'busbar' || args?.includes('--to stdout'))
      .map(
        ([, command, args]) =>
          [where, command as keyof typeof commands, args?.trim().split(/\s+/) ?? []] as const,
      ),
  );
  describe('in a folder with the files that it names', () => {
    const started = process.cwd();
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'busbar-docs-'));
      const { stdout } = await run('emulate', ['--scenario', 'house-move', '--instant', '--to', 'stdout']);
      writeFileSync(join(folder, 'record.json'), stdout.split('\n')[0] ?? '');
      writeFileSync(join(folder, 'traffic.ndjson.gz'), gzipSync(stdout));
      for (const name of ['old', 'new'])
        cpSync(join(root, 'examples/own-events/catalogue'), join(folder, name), { recursive: true });
      process.chdir(folder);
    });
    afterAll(() => {
      const folder = process.cwd();
      process.chdir(started);
      rmSync(folder, { recursive: true });
    });

    it.each(ownCommands)('contains a working command at %s: %s %j', async (_where, command, args) => {
      const { code, stdout, stderr } = await run(command, args);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toBe('');
    });
  });

  it('shows the number and the times of the events that the tutorial plays', async () => {
    const read = (page: string) => readFileSync(join(root, 'docs/tutorial', page), 'utf8');
    const timesIn = (page: string) => [...read(page).matchAll(/ at=(\d\S+Z)/g)].map(([, at]) => at);
    const { stdout } = await run('emulate', ['--scenario', 'house-move', '--instant', '--to', 'stdout']);
    const times = timesIn('survive-failures.md');
    expect(times).toHaveLength(2);
    for (const at of times) expect(stdout).toContain(`"occurred_at":"${at}"`);

    // As `npm run dev` plays it.
    const played: string[] = [];
    const sink: Sink = {
      name: 'test',
      write: (events) => void played.push(...events.map(({ envelope }) => envelope.occurred_at)),
      end: () => undefined,
      close: () => Promise.resolve(),
    };
    const emulator = await startEmulator({
      speed: 'instant',
      http: { port: 0 },
      sinks: [sink],
      logger: silentLogger,
    });
    emulator.start('house-move');
    await emulator.idle();
    await emulator.stop();
    expect(read('first-event.md')).toContain(`all ${played.length} events of the move`);
    expect(timesIn('first-event.md')).toHaveLength(2);
    expect(played).toEqual(expect.arrayContaining(timesIn('first-event.md')));
  });

  it('links only to existing files and sections', () => {
    for (const page of pages) {
      const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[^]*?```/g, '');
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        const path = join(root, page, '..', target ?? '');
        // Generated pages: the tests of the site follow links to them.
        if (/docs\/reference\/(api|events)\//.test(path)) continue;
        expect(existsSync(path), `${page} -> ${target}`).toBe(true);
      }
    }
  });

  it('keeps the README short, with a handler on the first screen', () => {
    const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
    expect(lines.length).toBeLessThan(122);
    expect(lines.slice(0, 6).join('\n')).toMatch(/npm ci && npm start.*\n.*npm ci && npm test/);
    expect(lines.indexOf('```ts')).toBeLessThan(35);
  });
});

/** The handlers in the pages of the events, as one program. */
async function handlersOfAllEvents(): Promise<string> {
  const catalogue = openCatalogue();
  const { events, shapes } = await catalogue.documents();
  const handlers = catalogue.events.map((event) => {
    return handlerOf({ event, fields: fieldsOf(events[event.name] ?? {}, shapes) });
  });
  const [line = ''] = handlers[0]?.split('\n') ?? [];
  return `${line}\n${handlers.map((handler) => handler.replace(line, '')).join('\n')}`;
}

/**
 * Runs a block until it ends without an error. It finds an emulator at the addresses that it names. A consumer of Kafka
 * gets the events of a house move and a signal to stop. The standard output of a block tagged `run` must be the next block.
 */
async function expectToEnd(
  { where, code, isRun, output: expected = '' }: Block,
  start: (code: string) => StartedBlock,
): Promise<void> {
  const isStopped = /await run\(\s*kafka|process\.once\('SIGTERM'/.test(code);
  const [, groupId = ''] = /groupId: '([^']+)'/.exec(code) ?? [];
  const needsEmulator = /localhost:9092|127\.0\.0\.1:4100/.test(code);
  const emulator = needsEmulator ? await emulatorFor(isStopped ? groupId : undefined) : undefined;
  const { child, ended } = start(atPortsOf(emulator, code));
  if (emulator !== undefined && isStopped) {
    await Promise.race([ended, emulator.consumed({ groupId, timeout: 1_500_000 })]);
    child.kill('SIGTERM');
  }
  const { end, output, stdout } = await ended;
  expect(end, output).toBe(0);
  if (isRun) expectOutput(atUsualPorts(emulator, stdout), expected, where);
}

/** Fails unless a program printed this text. `npm run goldens` writes the text. */
function expectOutput(output: string, expected: string, where: string): void {
  if (isOutput(output, expected)) return;
  if (process.env.BUSBAR_GOLDENS === undefined || expected.includes('…')) expect(output).toBe(expected);
  const page = join(root, where.replace(/:\d+$/, ''));
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(`\`\`\`text\n${expected}`, () => `\`\`\`text\n${output.trimEnd()}\n`),
  );
}

/** The servers that the pages expect at the default ports. They play a house move, once the consumer has come. */
async function emulatorFor(waitForConsumer: string | undefined): Promise<Emulator> {
  const emulator = await startEmulator({
    scenario: 'house-move',
    speed: 'instant',
    kafka: { port: 0 },
    http: { port: 0 },
    run: waitForConsumer === undefined ? {} : { waitForConsumer },
    logger: silentLogger,
  });
  onTestFinished(() => emulator.stop());
  return emulator;
}

/** The same program with other ports, because tests run concurrently. */
function atPortsOf(emulator: Emulator | undefined, code: string): string {
  return code
    .replaceAll('localhost:9092', emulator?.bootstrapServers ?? '')
    .replaceAll('127.0.0.1:4100', hostOf(emulator))
    .replaceAll('port: 9464', 'port: 0');
}

function atUsualPorts(emulator: Emulator | undefined, output: string): string {
  if (emulator === undefined) return output;
  return output
    .replaceAll(emulator.bootstrapServers ?? '', 'localhost:9092')
    .replaceAll(hostOf(emulator), '127.0.0.1:4100');
}

function hostOf(emulator: Emulator | undefined): string {
  return new URL(emulator?.url ?? 'http://none').host;
}

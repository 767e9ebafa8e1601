import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from 'busbar';
import { type Emulator, startEmulator } from 'busbar-emulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playsAll } from './cases.js';
import { type commands, run } from './command.js';
import { expectToCompile } from './compile.js';
import { startBlock } from './start-block.js';

const root = new URL('..', import.meta.url).pathname;
const documents = ['README.md', 'emulator/README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pagesIn('docs')];

interface Block {
  readonly where: string;
  readonly code: string;
}

const blocks = (language: string): Block[] =>
  documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map((match) => ({
      where: `${document}:${text.slice(0, match.index).split('\n').length}`,
      code: match[1] ?? '',
    }));
  });

describe('the documentation', () => {
  it('contains TypeScript that compiles', () => {
    const sources = Object.fromEntries(blocks('ts').map(({ where, code }) => [where, code]));
    expect(Object.keys(sources).length).toBeGreaterThan(0);
    expectToCompile(sources);
  });

  const programs = blocks('ts')
    // One needs a PostgreSQL server.
    .filter(({ code }) => !code.includes("from 'pg'"))
    // One plays every check, with thousands of deliveries.
    .filter(({ code }) => playsAll || !code.includes('await verifyConsumer('))
    .map(({ where, code }) => [where, code] as const);
  it.each(programs)(
    'contains a program at %s that runs to its end',
    async (_where, code) => {
      const isStopped = /await run\(\s*kafka|process\.once\('SIGTERM'/.test(code);
      const needsEmulator = /localhost:9092|127\.0\.0\.1:4100/.test(code);
      const emulator = needsEmulator ? await emulatorFor(isStopped ? undefined : 'house-move') : undefined;
      const { child, ended } = startBlock(atPortsOf(emulator, code));
      if (emulator !== undefined && isStopped) {
        await Promise.race([ended, untilCommitted(emulator)]);
        child.kill('SIGTERM');
      }
      const { end, output } = await ended;
      expect(end, output).toBe(0);
    },
    180_000,
  );

  const ownCommands = blocks('sh').flatMap(({ where, code }) =>
    code
      .split('\n')
      .map((line) => /^npx (emulate|busbar) ([^#]*)/.exec(line))
      .filter((match) => match !== null)
      // What serves until it is stopped is started by other tests.
      .filter(([, command, args]) => command === 'busbar' || args?.includes('--to stdout'))
      .map(
        ([, command, args]) =>
          [where, command as keyof typeof commands, args?.trim().split(/\s+/) ?? []] as const,
      ),
  );
  it.each(ownCommands)('contains a working command at %s: %s %j', async (_where, command, args) => {
    const { code, stdout } = await run(command, args);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
  });

  it('links only to existing files and sections', () => {
    for (const document of documents) {
      const text = readFileSync(join(root, document), 'utf8').replaceAll(/```[^]*?```/g, '');
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        const path = join(root, document, '..', target ?? '');
        expect(existsSync(path), `${document} -> ${target}`).toBe(true);
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

/** The servers that the pages expect at the default ports. Without a scenario the run has no end. */
async function emulatorFor(scenario: string | undefined): Promise<Emulator> {
  const emulator = await startEmulator({
    ...(scenario === undefined ? {} : { scenario }),
    speed: 'instant',
    kafka: { port: 0 },
    http: { port: 0 },
    logger: silentLogger,
  });
  onTestFinished(() => emulator.stop());
  return emulator;
}

/** The same program with other ports, because tests run concurrently. */
function atPortsOf(emulator: Emulator | undefined, code: string): string {
  return code
    .replaceAll('localhost:9092', emulator?.bootstrapServers ?? '')
    .replaceAll('127.0.0.1:4100', new URL(emulator?.url ?? 'http://none').host)
    .replaceAll('port: 9464', 'port: 0');
}

/** Resolves when a group has settled an event: then the program has reached its last line. Events before its join may be too early. */
async function untilCommitted(emulator: Emulator): Promise<void> {
  const committed = async () => {
    await emulator.trigger('account.created-v1');
    const response = await fetch(`${emulator.url}/emulator/v1/consumers`);
    const { groups } = (await response.json()) as Consumers;
    return groups
      .flatMap(({ partitions }) => partitions)
      .reduce((sum, { committed }) => sum + (committed ?? 0), 0);
  };
  // A group that begins at the end commits that before it settles anything.
  let first = 0;
  await expect.poll(async () => (first = await committed()), patient).toBeGreaterThan(0);
  await expect.poll(committed, patient).toBeGreaterThan(first);
}

const patient = { timeout: 120_000 };

interface Consumers {
  readonly groups: readonly { readonly partitions: readonly { readonly committed: number | null }[] }[];
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

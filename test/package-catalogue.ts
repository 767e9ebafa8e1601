import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Follows docs/guides/check-records.md, own-events.md and compare-catalogues.md in a project with both packages: a captured
 * record becomes a configuration, and the events of examples/own-events reach every command.
 */
export async function useOwnCatalogue(project: string): Promise<void> {
  const run = (cwd: string, command: string, ...args: readonly string[]) =>
    spawnSync(join(project, 'node_modules/.bin', command), args, { cwd, encoding: 'utf8' });
  recognise(join(project, 'captured'), run);

  const example = join(project, 'example');
  cpSync(join(root, 'examples/own-events'), example, { recursive: true });
  const types = run(example, 'busbar', 'catalogue', 'types', '--out', 'my-events.d.ts');
  must(types.status === 0, 'types are written', types);
  const typeRoots = [join(root, 'node_modules/@types')];
  writeFileSync(
    join(example, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, types: ['node'], typeRoots },
      files: ['consumer.ts', 'scenario.ts', 'my-events.d.ts'],
    }),
  );
  for (const version of ['5.9', '6.0', '7.0']) {
    const install = ['install', '--no-save', '--no-audit', '--no-fund', `typescript@~${version}.0`];
    must(spawnSync('npm', install, { cwd: project }).status === 0, `TypeScript ${version} is installed`);
    const compiled = run(example, 'tsc');
    must(compiled.status === 0, `TypeScript ${version} compiles the example`, compiled);
  }

  const triggered = run(example, 'emulate', 'trigger', 'house_move.announced-v1');
  must(triggered.stdout.includes('"house_move.announced"'), 'an own event is triggered', triggered);
  const listed = await listedEvents(join(project, 'node_modules/.bin/emulate'), example);
  must(listed.includes('house_move.announced-v1'), 'the dashboard lists an own event');
  const verified = run(example, 'emulate', 'verify', './consumer.js', '--only', 'samples');
  must(verified.status === 0, 'an own event is verified', verified);
  must(verified.stdout.includes('samples'), 'verify names its checks', verified);

  cpSync(join(example, 'catalogue'), join(example, 'old'), { recursive: true });
  const file = join(example, 'catalogue/house_move.announced-v1.json');
  const schema = JSON.parse(readFileSync(file, 'utf8')) as { required: string[] };
  schema.required = schema.required.filter((name) => name !== 'moves_on');
  writeFileSync(file, JSON.stringify(schema));
  const compared = run(
    example,
    'busbar',
    'catalogue',
    'diff',
    'old',
    'catalogue',
    '--consumer',
    './consumer.js',
  );
  must(compared.status === 1, 'a breaking change fails', compared);
  must(/moves_on.*house_move\.announced-v1/.test(compared.stdout), 'it names the handler', compared);
  console.log('a captured record and own events work as documented, with TypeScript 5.9, 6.0 and 7.0');
}

type Finished = ReturnType<typeof spawnSync> & { readonly stdout: string };

/** Checks a captured record, and reads it again with the printed configuration. */
function recognise(
  folder: string,
  run: (cwd: string, command: string, ...args: readonly string[]) => Finished,
): void {
  mkdirSync(folder);
  const triggered = run(folder, 'emulate', 'trigger', 'account.created-v1', '--envelope', 'eventbridge');
  writeFileSync(join(folder, 'record.json'), triggered.stdout);
  const checked = run(folder, 'busbar', 'catalogue', 'check', 'record.json');
  const [config] = /^import \{ defineConfig \}.*\n\nexport default .*;\n/m.exec(checked.stdout) ?? [];
  must(config !== undefined, 'a configuration is printed', checked);
  writeFileSync(join(folder, 'busbar.config.js'), config ?? '');
  const again = run(
    folder,
    'busbar',
    'catalogue',
    'check',
    'record.json',
    '--json',
    '--fail-on',
    'undecodable',
  );
  must(again.status === 0, 'the configuration reads the record', again);
  must(again.stdout.includes('"account.created-v1"'), 'the record is the event', again);
}

/** Returns the names of the events in a dashboard. */
async function listedEvents(emulate: string, cwd: string): Promise<readonly string[]> {
  const emulator = spawn(emulate, ['--kafka-port', 'off', '--http-port', '0'], { cwd });
  try {
    let text = '';
    let url: string | undefined;
    for await (const chunk of emulator.stderr) {
      text += String(chunk);
      url = /Control API +(\S+)\/emulator\/v1/.exec(text)?.[1];
      if (url !== undefined) break;
    }
    const events = (await (await fetch(`${url}/dashboard/catalogue`)).json()) as { name: string }[];
    return events.map(({ name }) => name);
  } finally {
    emulator.kill();
    await once(emulator, 'close');
  }
}

function must(isTrue: boolean, what: string, { stdout, stderr }: Partial<Finished> = {}): void {
  if (!isTrue) throw new Error(`Not true: ${what}.\n${stdout ?? ''}\n${String(stderr ?? '')}`);
}

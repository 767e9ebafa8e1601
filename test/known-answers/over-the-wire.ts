import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cause } from '../../emulator/testing/verify/causes.js';
import { runProcess } from '../command.js';
import { run, start } from '../interop/command.js';
import { cache, lastLine, providePackages, providePrograms, Unavailable } from '../interop/provide.js';

/** Runs a service of the switches: program and arguments, before its name. */
export type Command = readonly [program: string, ...args: string[]];

/** The check that finds each bug. A correct service passes all checks. */
const findsBug: Readonly<Partial<Record<string, string>>> = {
  'adds-on-every-delivery': 'duplicates',
  'commits-before-work': 'crashes',
  'auto-commit-with-a-batch': 'crashes',
  'marks-in-another-transaction': 'crashes',
  'remembers-in-memory': 'duplicates',
  'stops-at-a-broken-record': 'poison',
  'counts-both-versions': 'occurrences',
  'counts-by-local-day': 'time-zone',
  'takes-an-outage-for-not-found': 'platform',
  'skips-after-ten-attempts': 'platform',
};

/** Verifies a service by the built command and the contract of its example, with the command of the switches. */
export async function verifyOverWire(
  language: string,
  command: Command,
  service: string,
  seed: number,
): Promise<readonly Cause[]> {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-known-answers-'));
  try {
    const file = writeContract(folder, language, [...command, service]);
    const check = findsBug[service];
    // A busy machine must not leave out a check.
    const search = ['--budget', '1h', ...(check === undefined ? [] : ['--only', check])];
    const options = ['--reporter', 'json', '--seed', String(seed), '--out', folder, ...search];
    const { code, stdout, stderr } = await runProcess('emulate', ['verify', '--contract', file, ...options]);
    if (code !== 0 && code !== 1) throw new Error(`"emulate verify" exits with ${code}: ${lastLine(stderr)}`);
    return (JSON.parse(stdout) as { readonly causes: readonly Cause[] }).causes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the contract of an example into a folder, with the command of another service. Returns the file. */
export function writeContract(folder: string, language: string, command: Command): string {
  const example = exampleOf(language);
  const contract = JSON.parse(readFileSync(join(example, 'contract.json'), 'utf8')) as Contract;
  const env = { ...contract.start.env, INSTANCE: '{instance}' };
  const file = join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify({ ...contract, start: { command, cwd: example, env } }));
  return file;
}

interface Contract {
  readonly start: { readonly env: Readonly<Record<string, string>> };
}

/** Installs the example's requirements once. @throws {Unavailable} */
export async function preparePython(): Promise<Command> {
  await providePrograms({ python3: 'python3' });
  const folder = join(cache, 'known-answers-python');
  const python = join(folder, 'bin/python');
  if ((await run(python, ['-m', 'pip', '--version'])).code !== 0) {
    const create = () => run('python3', ['-m', 'venv', '--clear', folder]);
    if ((await create()).code !== 0) {
      await providePackages(['python3-venv']);
      await orUnavailable('Python cannot create an environment', create());
    }
  }
  const requirements = join(exampleOf('python'), 'requirements.txt');
  const install = ['-m', 'pip', 'install', '--quiet', '--requirement', requirements];
  await orUnavailable('pip cannot install', run(python, install, { timeoutMs: 300_000 }));
  return [python, '-B', source('python/services.py')];
}

/** Builds the example and the switches. @throws {Unavailable} */
export async function prepareJava(): Promise<Command> {
  await providePrograms({ javac: 'openjdk-17-jdk-headless', mvn: 'maven' });
  const example = exampleOf('java');
  await orUnavailable(
    'Maven cannot build',
    run('mvn', ['-q', '-B', 'package'], { cwd: example, timeoutMs: 300_000 }),
  );
  const classes = join(cache, 'known-answers-java');
  mkdirSync(classes, { recursive: true });
  const [services, archive] = [join(cache, 'known-answers.jar'), join(cache, 'known-answers.jsa')];
  const classPath = [services, join(example, 'target/bills.jar'), join(example, 'target/lib/*')].join(
    delimiter,
  );
  const compile = ['-cp', classPath, '-d', classes, source('java/Services.java')];
  await orUnavailable('javac cannot compile', run('javac', compile));
  await orUnavailable('jar cannot pack', run('jar', ['--create', '--file', services, '-C', classes, '.']));
  const quick = ['-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
  const command = (option: string): Command => ['java', option, ...quick, '-cp', classPath, 'Services'];
  rmSync(archive, { force: true });
  await startAndStop([...command(`-XX:ArchiveClassesAtExit=${archive}`), 'inbox-in-one-transaction']);
  return command(`-XX:SharedArchiveFile=${archive}`);
}

/** Runs a service until it says that it cannot reach a broker. */
async function startAndStop([program, ...args]: Command): Promise<void> {
  const nowhere = { KAFKA_BROKERS: '127.0.0.1:1', PLATFORM_URL: 'http://127.0.0.1:1/', PLATFORM_KEY: 'none' };
  const service = start(program, args, { env: { ...nowhere, DATABASE: ':memory:', PORT: '0' } });
  service.stdout?.resume();
  const ended = once(service, 'close');
  await Promise.race([once(service.stderr!, 'data'), ended]);
  service.kill('SIGTERM');
  await ended;
}

/** @throws {Unavailable} */
export async function prepareGo(): Promise<Command> {
  await providePrograms({ go: 'golang-go' });
  mkdirSync(cache, { recursive: true });
  const program = join(cache, 'known-answers-go');
  const build = run('go', ['build', '-o', program, '.'], { cwd: source('go'), timeoutMs: 300_000 });
  await orUnavailable('Go cannot build', build);
  return [program];
}

async function orUnavailable(what: string, ending: ReturnType<typeof run>): Promise<void> {
  const { code, output } = await ending;
  if (code !== 0) throw new Unavailable(`${what}: ${lastLine(output)}`);
}

function exampleOf(language: string): string {
  return source(`../../examples/services/${language}`);
}

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

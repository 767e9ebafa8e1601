import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';

/** A command of the package, as `npm run build` wrote it. */
export const commands = {
  busbar: fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url)),
  emulate: fileURLToPath(new URL('../emulator/dist/cli/main.js', import.meta.url)),
} as const;

/** The words after a command. A string is split at its spaces. */
export type Words = string | readonly string[];

export function wordsOf(words: Words): readonly string[] {
  return typeof words === 'string' ? words.split(' ') : words;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to its end, in this process: the file of a command runs its command line when it is loaded, and one
 * with another query is another file. A process of its own takes a quarter of a second more.
 */
export function run(command: keyof typeof commands, args: Words, input?: string): Promise<Finished> {
  // One at a time: a process has one standard output and one exit code.
  const finished = last.then(() => runHere(command, wordsOf(args), input));
  last = finished.catch(() => undefined);
  return finished;
}

let last: Promise<unknown> = Promise.resolve();
let loaded = 0;

/** Vitest would compile modules again that it imports itself. */
const importer = 'data:text/javascript,export const load = (url) => import(url)';
const { load } = (await import(importer)) as { load: (url: string) => Promise<unknown> };

async function runHere(
  command: keyof typeof commands,
  args: readonly string[],
  input = '',
): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  const taking = (name: keyof typeof output): typeof process.stdout.write => {
    return (chunk: string | Uint8Array, encoding?: unknown, written?: unknown): boolean => {
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = typeof encoding === 'function' ? encoding : written;
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  };
  const log = (...values: readonly unknown[]) => void (output.stdout += `${format(...values)}\n`);
  const undo = [
    replace(process, 'argv', [process.execPath, commands[command], ...args]),
    replace(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    replace(process, 'exit', () => undefined),
    replace(process.env, 'NO_COLOR', '1'),
    // A command sets it for the modules that it loads.
    replace(process.env, 'BUSBAR_CONFIG', ''),
    replace(process.stdout, 'write', taking('stdout')),
    replace(process.stderr, 'write', taking('stderr')),
    replace(console, 'log', log),
    ...signals.map(keepListeners),
  ];
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    loaded += 1;
    await load(`${pathToFileURL(commands[command]).href}?run=${loaded}`);
    return { code: Number(Reflect.get(process, 'exitCode') ?? 0), ...output };
  } finally {
    process.exitCode = exitCode;
    for (const each of undo.reverse()) each();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Gives a property another value, until what it returns is called. */
function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

/** Removes the listeners that a command leaves to the end of its process. */
function keepListeners(signal: NodeJS.Signals): () => void {
  const before = process.listeners(signal);
  return () => {
    for (const listener of process.listeners(signal))
      if (!before.includes(listener)) process.removeListener(signal, listener);
  };
}

/** Runs a command to its end, in a process of its own: as it is built, and with what that leaves behind. */
export async function runProcess(
  command: keyof typeof commands,
  args: Words,
  input?: string,
  cwd?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [commands[command], ...wordsOf(args)], {
    env: { ...process.env, NO_COLOR: '1' },
    cwd,
  });
  const output = collect(child);
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

/** Linux has a disk that is always full. */
export const hasFullDisk = existsSync('/dev/full');

/** Runs a command to its end whose standard output, or standard error, goes to a full disk. */
export async function runOnFullDisk(
  command: keyof typeof commands,
  args: readonly string[],
  full: 'stdout' | 'stderr' = 'stdout',
): Promise<Finished> {
  const disk = openSync('/dev/full', 'w');
  const [stdout, stderr] = full === 'stdout' ? [disk, 'pipe' as const] : ['pipe' as const, disk];
  const child = spawn(process.execPath, [commands[command], ...args], { stdio: ['ignore', stdout, stderr] });
  closeSync(disk);
  const output = collect(child);
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

/** A command that is left running; `line` waits for a line on standard error that matches. */
export function start(command: keyof typeof commands, args: Words) {
  const child = spawn(process.execPath, [commands[command], ...wordsOf(args)]);
  const output = collect(child);
  const closed = once(child, 'close');
  return {
    child,
    output,
    async line(pattern: RegExp): Promise<RegExpMatchArray> {
      for (;;) {
        const found = output.stderr.match(pattern);
        if (found !== null) return found;
        if (child.exitCode !== null)
          throw new Error(`"${command}" ended without ${pattern}:\n${output.stderr}`);
        await Promise.race([once(child.stderr, 'data'), closed]);
      }
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
      child.kill(signal);
      await closed;
      return { code: child.exitCode, ...output };
    },
  };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return output;
}

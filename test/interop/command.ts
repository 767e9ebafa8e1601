import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  /** null: it did not end in time, or could not be started. */
  readonly code: number | null;
  readonly output: string;
}

interface Options {
  /** Milliseconds after which the program and its children are killed; 120,000. */
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a program to its end, or until its time is over. Never rejects. */
export async function run(program: string, args: readonly string[], options: Options = {}): Promise<Ended> {
  const child = start(program, args, options);
  let output = '';
  const timeout = new AbortController();
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
  child.stdin?.on('error', () => undefined); // a program that ends without reading closes the pipe
  child.stdin?.end(options.input ?? '');
  const timeoutMs = options.timeoutMs ?? 120_000;
  const timer = setTimeout(() => {
    timeout.abort();
    output += `\n"${program}" was still running after ${timeoutMs / 1000} s`;
    kill(child);
  }, timeoutMs);
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  clearTimeout(timer);
  return { code: timeout.signal.aborted ? null : child.exitCode, output };
}

/** Starts a program in a process group of its own, so that `kill` reaches its children, too. */
export function start(
  program: string,
  args: readonly string[],
  { cwd, env }: Pick<Options, 'cwd' | 'env'> = {},
): ChildProcess {
  return spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true });
}

export function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Kills and waits for the end. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  kill(child);
  await closed;
}

export async function exists(program: string): Promise<boolean> {
  return (await run('sh', ['-c', `command -v ${program}`])).code === 0;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A command of the package, as `npm run build` wrote it. */
export const commands = {
  busbar: fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url)),
  emulate: fileURLToPath(new URL('../dist/emulator/cli/main.js', import.meta.url)),
} as const;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function run(
  command: keyof typeof commands,
  args: readonly string[],
  input?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [commands[command], ...args], {
    env: { ...process.env, NO_COLOR: '1' },
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
export function start(command: keyof typeof commands, args: readonly string[]) {
  const child = spawn(process.execPath, [commands[command], ...args]);
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

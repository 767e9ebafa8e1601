import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** A running `npm run dev`. */
export interface Dev {
  /** Resolves when its output matches. Rejects if it ends before. */
  line(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends SIGINT to the whole group, as a terminal does at Ctrl-C. Resolves to the exit code that a shell shows. */
  interrupt(): Promise<number>;
}

/** Starts a command in a process group of its own. */
export function startDev(command: string, cwd: string, env: NodeJS.ProcessEnv): Dev {
  const child = spawn(command, { cwd, env, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  return {
    async line(pattern) {
      for (;;) {
        const found = output.match(pattern);
        if (found !== null) return found;
        if (child.exitCode !== null)
          throw new Error(`"${command}" ended without ${String(pattern)}:\n${output}`);
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed]);
      }
    },
    async interrupt() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGINT');
      await closed;
      return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
    },
  };
}

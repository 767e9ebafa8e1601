import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Keeps a linter off the network. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs Node in the repository. Resolves when it ends, with any exit code. */
export function runNode(...args: string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: repository, env, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';
import { quoted } from 'busbar/base';
import { fill, type Values } from './placeholders.js';
import { endOf } from './ready.js';

/** Returns what a program of the contract prints. @throws Error with its last lines, if it fails */
export async function outputOf(
  command: readonly string[],
  values: Values,
  { cwd, timeout }: { readonly cwd: string; readonly timeout: number },
): Promise<string> {
  const [program = '', ...args] = command.map((each) => fill(each, values));
  try {
    return (await promisify(execFile)(program, args, { cwd, timeout, maxBuffer: 2 ** 28 })).stdout;
  } catch (error) {
    const { code, signal, killed, stderr = '' } = error as ExecFileException & { readonly stderr?: string };
    const how = killed === true ? `did not end within ${timeout} ms` : `fails with ${code ?? signal}`;
    throw new Error(`${quoted(program)} ${how}.${endOf(stderr.split('\n'))}`);
  }
}

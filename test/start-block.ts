import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { onTestFinished } from 'vitest';
import { commands } from './command.js';

const root = join(import.meta.dirname, '..');

/** The end of a program: `0` is its exit code, `SIGTERM` the signal that ended it. */
export type End = number | NodeJS.Signals | null;

export interface StartedBlock {
  readonly child: ChildProcess;
  /** Resolves when the program has ended, with all that it wrote, and with its standard output alone. */
  readonly ended: Promise<{ readonly end: End; readonly output: string; readonly stdout: string }>;
}

/**
 * Runs TypeScript as a program in a folder of its own, on the built package by its own names; tests by Vitest, as those
 * of this project.
 */
export function startBlock(code: string): StartedBlock {
  const folder = emptyFolder();
  const args = code.includes("from 'vitest'") ? testIn(folder, code) : programIn(folder, code);
  return start(folder, process.execPath, args);
}

/** Runs a shell script in a folder of its own, on the built commands. */
export function startScript(code: string): StartedBlock {
  const folder = emptyFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, file] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, { mode: 0o755 });
  }
  // Runs the command without its own options, such as --package.
  const npx = '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n';
  writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 });
  return start(folder, 'sh', ['-e', '-c', code], { PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1' });
}

function emptyFolder(): string {
  const parent = join(root, '.cache', 'blocks');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'block-'));
}

function start(folder: string, command: string, args: string[], variables = {}): StartedBlock {
  // A program that is not a test must not find that it is run by one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.includes('VITEST')));
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let stdout = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdout.on('data', (text: string) => (stdout += text));
  const ended = once(child, 'close').then(() => ({
    end: child.exitCode ?? child.signalCode,
    output,
    stdout,
  }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return { child, ended };
}

function programIn(folder: string, code: string): string[] {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const program = join(folder, 'program.mjs');
  writeFileSync(program, ts.transpileModule(code, { compilerOptions }).outputText);
  return [program];
}

function testIn(folder: string, code: string): string[] {
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/program.test.ts'), code);
  return [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { onTestFinished } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** The end of a program: `0` is its exit code, `SIGTERM` the signal that ended it. */
export type End = number | NodeJS.Signals | null;

export interface StartedBlock {
  readonly child: ChildProcess;
  /** Resolves when the program has ended, with what it wrote. */
  readonly ended: Promise<{ readonly end: End; readonly output: string }>;
}

/**
 * Runs TypeScript as a program in a folder of its own, on the built package by its own names; tests by Vitest, as those
 * of this project.
 */
export function startBlock(code: string): StartedBlock {
  const parent = join(root, '.cache', 'blocks');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'block-'));
  const args = code.includes("from 'vitest'") ? testIn(folder, code) : programIn(folder, code);
  // A program that is not a test must not find that it is run by one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.includes('VITEST')));
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(() => ({ end: child.exitCode ?? child.signalCode, output }));
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

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { BusbarError, quoted } from 'busbar/base';
import type { ServiceContract } from './contract.js';
import type { Guard } from './guard.js';
import { fill, type Values } from './placeholders.js';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly process: Pick<ServiceProcess, 'lastLines'>;
}

/** Returns the end of a process in words: `exited with code 1`. */
export function explainExit({ code, signal }: Exit): string {
  return signal === null ? `exited with code ${code ?? '?'}` : `was ended by ${signal}`;
}

const maxLines = 20;
const maxLineLength = 500;

/** A process of a service, in a process group of its own. */
export class ServiceProcess {
  readonly id: number;
  readonly exited: Promise<Exit>;
  onLine: (line: string) => void = () => undefined;
  #exit: Exit | undefined;
  readonly #stdout: string[] = [];
  readonly #stderr: string[] = [];

  private constructor(child: ChildProcessByStdio<null, Readable, Readable>, guard: Guard) {
    this.id = child.pid ?? 0;
    guard.add(this.id);
    this.#read(child.stdout, this.#stdout);
    this.#read(child.stderr, this.#stderr);
    this.exited = new Promise((done) => {
      child.once('exit', (code, signal) => {
        // Its children must not outlive it.
        this.kill('SIGKILL');
        guard.remove(this.id);
        this.#exit = { code, signal, process: this };
        done(this.#exit);
      });
    });
  }

  /** @throws BusbarError `invalid-option` for a program that cannot be started */
  static async start(
    { command, cwd = '.', env = {} }: ServiceContract['start'],
    options: { readonly folder: string; readonly values: Values; readonly guard: Guard },
  ): Promise<ServiceProcess> {
    const { folder, values, guard } = options;
    const [program = '', ...args] = command.map((each) => fill(each, values));
    const directory = resolve(folder, fill(cwd, values));
    if (!existsSync(directory)) {
      const message = `Folder ${quoted(cwd)} of "start" does not exist. Correct "cwd".`;
      throw new BusbarError('invalid-option', message);
    }
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, values)]));
    // A path is relative to the working folder.
    const file = program.includes('/') ? resolve(directory, program) : program;
    const child = spawn(file, args, {
      cwd: directory,
      env: { ...process.env, ...own, ...guard.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    return new Promise((done, fail) => {
      child.once('spawn', () => done(new ServiceProcess(child, guard)));
      child.once('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
        const message = `Program ${quoted(program)} of "start" cannot be started: ${code}. Install it, or correct the name.`;
        fail(new BusbarError('invalid-option', message));
      });
    });
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Last lines of standard error, or of standard output if there are none. */
  get lastLines(): readonly string[] {
    return this.#stderr.length > 0 ? this.#stderr : this.#stdout;
  }

  /** Sends a signal to the process and its children. */
  kill(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.id, signal);
    } catch {
      // It has ended.
    }
  }

  /** Stops the process; kills it if it does not end within these milliseconds. */
  async stop(signal: NodeJS.Signals, within: number): Promise<void> {
    const timer = setTimeout(() => this.kill('SIGKILL'), within);
    this.kill(signal);
    // A frozen process takes a signal when it wakes.
    this.kill('SIGCONT');
    await this.exited;
    clearTimeout(timer);
  }

  #read(stream: Readable, lines: string[]): void {
    let rest = '';
    const take = (line: string) => {
      const short = line.slice(0, maxLineLength);
      this.onLine(short);
      lines.push(short);
      if (lines.length > maxLines) lines.shift();
    };
    stream.setEncoding('utf8').on('data', (text: string) => {
      const whole = (rest + text).split('\n');
      rest = (whole.pop() ?? '').slice(0, maxLineLength);
      whole.forEach(take);
    });
    stream.once('end', () => rest !== '' && take(rest));
  }
}

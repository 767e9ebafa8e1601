import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import WebSocket from 'ws';

/** Figures of a process at one time, by name. */
export type Sample = Readonly<Record<string, number>>;

/** A child process of Node that is measured over its inspector, so that it runs no code of the measurement. */
export class Inspected {
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last = 0;
  #cpu = { at: performance.now(), used: 0 };

  private constructor(child: ChildProcess, socket: WebSocket) {
    this.#child = child;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const { id, result } = JSON.parse(data.toString()) as { id?: number; result: unknown };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** Starts a process. Resolves with the matches of the patterns, once it has printed all on standard error. */
  static async start(args: readonly string[], patterns: readonly RegExp[] = []) {
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const isEnded = once(child, 'exit').then(([code]) => {
      throw new Error(`A process of the soak ended with ${String(code)}:\n${said.slice(-2_000)}`);
    });
    // Fails the run only while something waits for the process.
    isEnded.catch(() => undefined);
    let said = '';
    const wanted = [/Debugger listening on (ws:\S+)/, ...patterns];
    const found = new Promise<string[]>((resolve) => {
      child.stderr.on('data', (data: Buffer) => {
        said = (said + data.toString()).slice(-20_000);
        const matches = wanted.flatMap((pattern) => pattern.exec(said)?.[1] ?? []);
        if (matches.length === wanted.length) resolve(matches);
      });
    });
    try {
      const [address = '', ...matches] = await Promise.race([found, isEnded]);
      const socket = new WebSocket(address, { perMessageDeflate: false });
      await Promise.race([once(socket, 'open'), isEnded]);
      return { process: new Inspected(child, socket), matches, isEnded };
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  /** Returns the value of an expression in the process. */
  async evaluate<T>(expression: string): Promise<T> {
    const parameters = { expression: `JSON.stringify(${expression})` };
    const { result } = await this.#send<{ result: { value: string } }>('Runtime.evaluate', parameters);
    return JSON.parse(result.value) as T;
  }

  /** Measures the process after a forced collection. Memory is in bytes. */
  async sample(): Promise<Sample> {
    await this.#send('HeapProfiler.collectGarbage', {});
    const { memory, cpu, handles } = await this.evaluate<{
      memory: NodeJS.MemoryUsage;
      cpu: NodeJS.CpuUsage;
      handles: number;
    }>(
      '{ memory: process.memoryUsage(), cpu: process.cpuUsage(), handles: process.getActiveResourcesInfo().length }',
    );
    const before = this.#cpu;
    this.#cpu = { at: performance.now(), used: (cpu.user + cpu.system) / 1_000 };
    return {
      'resident memory': memory.rss,
      'live memory': memory.heapUsed + memory.external,
      handles,
      'open files': openFiles(this.#child.pid),
      CPU: (this.#cpu.used - before.used) / (this.#cpu.at - before.at),
    };
  }

  async end(): Promise<void> {
    this.#socket.terminate();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #send<T>(method: string, params: object): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve as (result: unknown) => void);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

/** Returns the number of open files of a process; NaN where the system does not list them. */
export function openFiles(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

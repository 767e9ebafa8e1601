import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { MemberOptions } from './member.js';
import { type Journal, readJournal } from './journal.js';
import { Proxy } from './proxy.js';

/** Called with the numbers of events that were handled; when the process has ended, with all of them. */
type Done = (numbers: readonly number[]) => void;

/** One consumer process, with its own way to the broker. */
export class MemberProcess {
  readonly index: number;
  readonly proxy: Proxy;
  readonly #process: ChildProcess;
  readonly #journal: string;
  readonly #exited: Promise<unknown>;
  #isGone = false;

  private constructor(index: number, proxy: Proxy, options: MemberOptions, done: Done) {
    this.index = index;
    this.proxy = proxy;
    this.#journal = options.journal;
    this.#process = fork(new URL('./member.ts', import.meta.url), [JSON.stringify(options)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#exited = once(this.#process, 'exit').then(() => {
      this.#isGone = true;
      done(
        this.journal()
          .entries.filter(({ kind }) => kind === 'handled')
          .map(({ n }) => n),
      );
    });
    this.#process.on('message', (message: { handled?: number[]; ended?: string }) => {
      if (message.handled !== undefined) done(message.handled);
      if (message.ended !== undefined) console.log(`        member ${index} ended: ${message.ended}`);
    });
  }

  static async start(
    index: number,
    broker: { readonly host: string; readonly port: number },
    options: Omit<MemberOptions, 'proxyPort' | 'brokers'>,
    done: Done,
  ): Promise<MemberProcess> {
    const proxy = new Proxy(broker);
    const proxyPort = await proxy.listen();
    const brokers = [`${broker.host}:${broker.port}`];
    return new MemberProcess(index, proxy, { ...options, brokers, proxyPort }, done);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  /** Resolves after the process has drained and ended. */
  async stop(): Promise<void> {
    if (this.#process.connected) this.#process.send('stop');
    await this.#exited;
    await this.proxy.close();
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#exited;
    await this.proxy.close();
  }

  journal(): Journal {
    return readJournal(this.#journal);
  }
}

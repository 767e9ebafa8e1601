import { createInterface } from 'node:readline';
import type { AnyEvent, RunCounts } from 'busbar';
import { userFrame } from 'busbar/base';
import { type Emulator, scenarios } from 'busbar-emulator';

const { stdin, stdout } = process;
const isTerminal = stdin.isTTY && stdout.isTTY;
/** Whether the terminal can clear a line. */
const canClear = isTerminal && process.env.TERM !== 'dumb';

/** The terminal of `npm start`. */
export class Screen {
  /** Aborts at Ctrl-C and SIGTERM, with the exit code of the process set. */
  readonly signal: AbortSignal;
  readonly #emulator: Emulator;
  #events = 0;
  #handled = 0;
  #skipped = 0;
  #begun = performance.now();

  /** Shows the addresses of the emulator and the title of its scenario. */
  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    const interruption = new AbortController();
    this.signal = interruption.signal;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, (_signal: string, number: number) => {
        process.exitCode = 128 + number;
        interruption.abort();
      });
    }
    const { pageUrl, bootstrapServers, streamUrl, apiUrl, apiKeys } = emulator;
    console.log(`
Dashboard  ${pageUrl}
Kafka      ${bootstrapServers}, topic platform.events
Stream     ${streamUrl}
REST API   ${apiUrl}, key ${apiKeys.join(', ')}

${scenarios.find(({ name }) => name === 'house-move')?.title}.
`);
  }

  /** Shows an event, and the line of the handler that calls this. */
  readonly handled = (event: AnyEvent, sentence: string): void => {
    const caller = new Error();
    Error.captureStackTrace(caller, this.handled);
    const [, line = ''] = /([^/]*:\d+):\d+$/.exec(userFrame(caller) ?? '') ?? [];
    this.#handled++;
    this.#show(event, line, sentence);
  };

  /** Shows an event that its handler did not get. */
  readonly skipped = (event: AnyEvent): void => {
    this.#skipped++;
    this.#show(event, 'skipped', 'A duplicate: idempotent() keeps it from the handler.');
  };

  /** Counts a record. */
  readonly settled = (): void => {
    this.#events++;
    if (canClear) stdout.write(`\r\x1b[K${this.#counts()}`);
  };

  /** Shows the totals of a run and the next steps. */
  finish({ skipped: { unhandled } }: RunCounts): void {
    const seconds = Math.round((performance.now() - this.#begun) / 1000);
    this.#print(`\n${this.#counts()}, without a handler: ${unhandled}. It took ${seconds} s.\n`);
    if (this.signal.aborted) return;
    console.log(`Next
  1. Follow the customer on ${this.#emulator.pageUrl}
  2. Change a handler in examples/house-move-consumer.ts, then run npm start.
  3. Run npm test.
`);
  }

  /** Resolves to true at Enter, and to false after Ctrl-C, Ctrl-D or without a terminal. */
  async again(): Promise<boolean> {
    if (!isTerminal || this.signal.aborted) return false;
    console.log('Press Enter to play it again, or Ctrl-C to stop.');
    const input = createInterface({ input: stdin });
    const isAgain = await new Promise<boolean>((resolve) => {
      input.once('line', () => resolve(true)).once('close', () => resolve(false));
      this.signal.addEventListener('abort', () => input.close(), { once: true });
    });
    input.close();
    [this.#events, this.#handled, this.#skipped, this.#begun] = [0, 0, 0, performance.now()];
    return isAgain;
  }

  #show({ occurredAt = '', type }: AnyEvent, where: string, sentence: string): void {
    const day = new Date(occurredAt).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
    this.#print(`${day.padEnd(8)}${type.padEnd(38)}${where}\n        ${sentence}`);
  }

  /** Prints lines in place of the counts, which `settled` shows again. */
  #print(lines: string): void {
    console.log(canClear ? `\r\x1b[K${lines}` : lines);
  }

  #counts(): string {
    return `Events: ${this.#events}, handled: ${this.#handled}, duplicates skipped: ${this.#skipped}`;
  }
}

import { fstatSync, writeSync } from 'node:fs';
import { BusbarError } from '../base/errors.js';

/** The output of a command that only prints text. */
export interface TextOutput {
  write(text: string): unknown;
}

/**
 * An output whose errors are judged: a reader that went away (EPIPE), as `head` does, is none; every other one is a
 * failure. The stream stays open: it belongs to the caller.
 */
export class Output implements TextOutput {
  readonly #stream: NodeJS.WritableStream;
  readonly #isFile: boolean;
  readonly #gone = new AbortController();
  #failure: BusbarError | undefined;
  #left: Promise<void> = Promise.resolve();
  #settle: () => void = () => undefined;

  constructor(stream: NodeJS.WritableStream = process.stdout) {
    this.#stream = stream;
    this.#isFile = stream === process.stdout && fstatSync(process.stdout.fd).isFile();
    stream.on('error', this.#judge);
  }

  /** Aborted when the reader has gone away. What is written after that is dropped. */
  get readerGone(): AbortSignal {
    return this.#gone.signal;
  }

  /** @throws BusbarError `file-failed` when what was written before could not be. */
  write(chunk: string | Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#gone.signal.aborted) return;
    if (this.#isFile) this.#writeAll(Buffer.from(chunk));
    else this.#send(chunk);
  }

  #send(chunk: string | Uint8Array): void {
    this.#left = new Promise((resolve) => {
      this.#settle = resolve;
      this.#stream.write(chunk, (error) => {
        if (error) this.#judge(error);
        resolve();
      });
    });
  }

  /** A disk takes what fits on it, and Node's stream for files drops the rest without an error. */
  #writeAll(bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(process.stdout.fd, bytes, done);
    } catch (error) {
      this.#judge(error as NodeJS.ErrnoException);
    }
  }

  /** Resolves when all that was written has left, or has lost its reader. @throws BusbarError `file-failed` */
  async flush(): Promise<void> {
    await this.#left;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Leaves the stream's errors to others. */
  release(): void {
    this.#stream.removeListener('error', this.#judge);
  }

  /** The first error counts: what comes later is about a stream that is broken already. */
  readonly #judge = (error: NodeJS.ErrnoException): void => {
    if (this.#failure !== undefined || this.#gone.signal.aborted) return;
    if (error.code === 'EPIPE') this.#gone.abort();
    else {
      const message = `Standard output cannot be written: ${error.code ?? error.message}. Check its disk, or send it elsewhere.`;
      this.#failure = new BusbarError('file-failed', message, { cause: error });
    }
    this.#settle();
  };
}

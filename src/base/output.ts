import { fstatSync, writeSync } from 'node:fs';
import { BusbarError } from './errors.js';

/** The output of a command that prints text. */
export interface TextOutput {
  write(text: string): unknown;
}

/**
 * An output that ignores a reader that went away (EPIPE), for example `head`, and fails for every other error. Leaves
 * the stream open: it belongs to the caller.
 */
export class Output implements TextOutput {
  readonly #stream: NodeJS.WritableStream;
  readonly #write: NodeJS.WritableStream['write'];
  readonly #isFile: boolean;
  readonly #gone = new AbortController();
  #failure: BusbarError | undefined;
  #written: Promise<void> = Promise.resolve();
  #settle: () => void = () => undefined;

  constructor(stream: NodeJS.WritableStream = process.stdout) {
    this.#stream = stream;
    // While a command runs a module of the user, the method of standard output is another.
    this.#write = stream.write.bind(stream);
    // As bigint: after an fstat of a pipe in numbers, Node 20 no longer follows symbolic links to packages.
    this.#isFile = stream === process.stdout && fstatSync(process.stdout.fd, { bigint: true }).isFile();
    stream.on('error', this.#handleError);
  }

  /** Signal that aborts when the reader has gone away. Later writes are dropped. */
  get readerGone(): AbortSignal {
    return this.#gone.signal;
  }

  /** @throws BusbarError `file-failed` when an earlier write failed. */
  write(chunk: string | Uint8Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#gone.signal.aborted) return;
    if (this.#isFile) this.#writeAll(Buffer.from(chunk));
    else this.#send(chunk);
  }

  #send(chunk: string | Uint8Array): void {
    this.#written = new Promise((resolve) => {
      this.#settle = resolve;
      this.#write(chunk, (error) => {
        if (error) this.#handleError(error);
        resolve();
      });
    });
  }

  /** Writes synchronously: on a full disk, Node's stream for files drops data without an error. */
  #writeAll(bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(process.stdout.fd, bytes, done);
    } catch (error) {
      this.#handleError(error as NodeJS.ErrnoException);
    }
  }

  /** Resolves when every write has ended or the reader has gone away. @throws BusbarError `file-failed` */
  async flush(): Promise<void> {
    await this.#written;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Stops handling errors of the stream. */
  release(): void {
    this.#stream.removeListener('error', this.#handleError);
  }

  /** Keeps the first error: later ones follow from it. */
  readonly #handleError = (error: NodeJS.ErrnoException): void => {
    if (this.#failure !== undefined || this.#gone.signal.aborted) return;
    // Windows has EOF, too.
    if (error.code === 'EPIPE' || error.code === 'EOF') this.#gone.abort();
    else {
      const message = `Standard output cannot be written: ${error.code ?? error.message}. Check its disk, or send it elsewhere.`;
      this.#failure = new BusbarError('file-failed', message, { cause: error });
    }
    this.#settle();
  };
}

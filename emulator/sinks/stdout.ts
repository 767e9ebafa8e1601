import { BusbarError } from '../../src/errors.js';
import type { Sink } from './sink.js';

export interface StdoutSink extends Sink {
  /** Aborted when the reader has gone away, as `head` does: the rest of the run would be for nobody. */
  readonly readerGone: AbortSignal;
}

/**
 * One envelope per line, the same bytes that every other sink sends; default to standard output. Waits for a reader
 * that is slow. A reader that goes away (EPIPE) is no error: what follows is dropped, and `readerGone` tells.
 * `close` leaves the output open: it belongs to the caller.
 */
export function stdoutSink(output: NodeJS.WritableStream = process.stdout): StdoutSink {
  const gone = new AbortController();
  let failure: BusbarError | undefined;

  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      const message = `Events could not be written to the output: ${error.code ?? error.message}.`;
      failure = new BusbarError('connection-failed', message, { cause: error });
    }
    gone.abort();
  };
  output.on('error', onError);

  const write = async (chunk: Buffer) => {
    if (!gone.signal.aborted && !output.write(chunk)) await drained(output, gone.signal);
    if (failure !== undefined) throw failure;
  };

  return {
    name: 'stdout',
    readerGone: gone.signal,
    write: (emissions) => write(Buffer.concat(emissions.flatMap(({ bytes }) => [bytes, lineFeed]))),
    async end() {
      if (!gone.signal.aborted) await flushed(output);
      if (failure !== undefined) throw failure;
    },
    close() {
      output.off('error', onError);
      return Promise.resolve();
    },
  };
}

const lineFeed = Buffer.from('\n');

/** Also resolves when there is nobody left to drain it. */
function drained(output: NodeJS.WritableStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    output.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

/** Resolves when all that was written before has left, or never will. */
function flushed(output: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    output.write('', () => resolve());
  });
}

import { Output } from '../../src/cli/output.js';
import type { Sink } from './sink.js';

export interface StdoutSink extends Sink {
  /** Aborted when the reader has gone away, as `head` does. */
  readonly readerGone: AbortSignal;
}

/**
 * One envelope per line, the same bytes that every other sink sends; default to standard output. Waits for a reader
 * that is slow. A reader that goes away (EPIPE) is no error: what follows is dropped, and `readerGone` is aborted.
 * `close` leaves the output open: it belongs to the caller.
 */
export function stdoutSink(stream: NodeJS.WritableStream = process.stdout): StdoutSink {
  const output = new Output(stream);
  return {
    name: 'stdout',
    readerGone: output.readerGone,
    async write(emissions) {
      output.write(Buffer.concat(emissions.flatMap(({ bytes }) => [bytes, lineFeed])));
      await output.flush();
    },
    end: () => output.flush(),
    close() {
      output.release();
      return Promise.resolve();
    },
  };
}

const lineFeed = Buffer.from('\n');

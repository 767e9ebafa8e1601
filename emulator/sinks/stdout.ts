import { Output } from 'busbar/base';
import type { Sink } from '../run/sink.js';

export interface StdoutSink extends Sink {
  /** Aborts when the reader closes the output, like `head`. */
  readonly readerGone: AbortSignal;
}

/**
 * Creates a sink that writes one envelope per line, with the same bytes as all sinks. Waits for a slow reader. If the
 * reader closes the output (EPIPE), drops later events and aborts `readerGone`. `close` leaves the output open.
 * @param stream Default: standard output.
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

import type { Sink } from '../../sinks/sink.js';
import { openLineWriter } from '../line-writer.js';
import type { Input } from '../inputs.js';
import { headerLine, inputLine, recordedLine, type RecordingHeader } from './format.js';

/** A sink that also keeps what comes into the run. */
export interface Recorder extends Sink {
  /** Keeps an input, before any event that comes of it. */
  note(input: Input): void;
}

/**
 * A sink that records. It has to be the last of a run's sinks: what it holds has reached all others, so that a run
 * which resumes after it loses nothing.
 * @param keep Bytes of an earlier recording to go on after; 0 begins a new one.
 */
export async function recorder(path: string, header: RecordingHeader, keep = 0): Promise<Recorder> {
  const file = await openLineWriter(path, { keep });
  if (keep === 0) await file.write(Buffer.from(headerLine(header)));
  // One after the other: inputs come whenever they like.
  let written = Promise.resolve();
  const write = (lines: string) => {
    written = written.then(() => file.write(Buffer.from(lines)));
    return written;
  };
  return {
    name: 'recording',
    write: (emissions) => write(emissions.map(recordedLine).join('')),
    note(input) {
      // Whoever writes next, or waits for the end, hears of a failure.
      write(inputLine(input)).catch(() => undefined);
    },
    end: () => written,
    async close() {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}

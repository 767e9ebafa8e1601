import type { Sink } from '../sink.js';
import { openLineWriter } from '../line-writer.js';
import type { Input } from '../inputs.js';
import { headerLine, inputLine, recordedLine, type RecordingHeader } from './format.js';

/** A sink that records events and inputs. */
export interface Recorder extends Sink {
  /** Records an input, before any event that follows from it. */
  note(input: Input): void;
}

/**
 * Opens a recorder. It must be the last sink of a run: every other sink has sent what it records, so that a resumed run
 * loses no event.
 * @param keep Bytes of an earlier recording to continue; 0 for a new one.
 */
export async function recorder(path: string, header: RecordingHeader, keep = 0): Promise<Recorder> {
  const file = await openLineWriter(path, { keep });
  if (keep === 0) await file.write(Buffer.from(headerLine(header)));
  // Writes are serial: inputs arrive at any time.
  let written = Promise.resolve();
  const write = (lines: string) => {
    written = written.then(() => file.write(Buffer.from(lines)));
    return written;
  };
  return {
    name: 'recording',
    write: (emissions) => write(emissions.map(recordedLine).join('')),
    note(input) {
      // The next write, or the end, reports a failure.
      write(inputLine(input)).catch(() => undefined);
    },
    end: () => written,
    async close() {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}

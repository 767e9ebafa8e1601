import { BusbarError, quoted } from 'busbar/base';
import type { Input } from '../inputs.js';
import { openLineWriter } from '../line-writer.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { Source } from '../source.js';
import { inputLine, isInputLine, recordedLine } from './format.js';
import type { Recording } from './open-recording.js';

/** A sink that records events and inputs. */
export type Recorder = Awaited<ReturnType<typeof recorder>>;

/**
 * Opens a recorder. It must be the last sink of a run: every other sink has sent what it records, so that a resumed run
 * loses no event.
 * @param lines First lines of a new recording; none for one to continue.
 * @param keep Bytes of an earlier recording to continue; 0 for a new one.
 * @throws BusbarError `file-failed`
 */
export async function recorder(path: string, lines: string, keep = 0) {
  const file = await openLineWriter(path, { keep });
  // Writes are serial: inputs arrive at any time.
  let written = Promise.resolve();
  const write = (text: string) => {
    written = written.then(() => file.write(Buffer.from(text)));
    return written;
  };
  /** Writes a text. The next write, or the end, reports a failure. */
  const writeLater = (text: string) => void write(text).catch(() => undefined);
  return {
    name: 'recording',
    /** Writes the first lines over an earlier recording. A run that cannot start leaves the earlier one as it is. */
    writeHead: () => writeLater(lines),
    write: (emissions: readonly OutgoingEvent[]) => write(emissions.map(recordedLine).join('')),
    /** Records an input, before any event that follows from it. */
    note: (input: Input) => writeLater(inputLine(input)),
    end: () => written,
    async close(): Promise<void> {
      await written.catch(() => undefined);
      await file.close();
    },
  };
}

/**
 * Skips the recorded events of a source, after comparing each with its line of the recording. A last line without its end
 * counts as not recorded.
 * @returns the rest of the source, and the number of valid bytes of the recording.
 * @throws BusbarError `invalid-recording` for a recording of another run, naming the line.
 */
export async function resumeAfter(
  source: Source,
  recording: Recording,
): Promise<{ readonly source: Source; readonly keep: number }> {
  let keep = recording.headerEnd;
  let pending: OutgoingEvent[] = [];
  let at = 0;
  for await (const line of recording.lines) {
    if (!line.isWhole) break;
    // The source already has the inputs.
    if (isInputLine(line.bytes)) {
      keep = line.end;
      continue;
    }
    while (pending.length === 0) {
      const sending = await source.next();
      if (sending === undefined || 'idleUntil' in sending) throw differs(recording.path, line.number);
      pending = [...sending.emissions];
      ({ at } = sending);
    }
    const [emission] = pending;
    if (emission === undefined || !line.bytes.equals(Buffer.from(recordedLine(emission).slice(0, -1)))) {
      throw differs(recording.path, line.number);
    }
    pending.shift();
    keep = line.end;
  }
  let rest = pending.length === 0 ? undefined : { at, emissions: pending };
  return {
    keep,
    source: {
      faults: source.faults,
      branches: source.branches,
      next(limit) {
        const first = rest;
        rest = undefined;
        return first ?? source.next(limit);
      },
      flush: () => source.flush?.(),
      close: () => source.close(),
    },
  };
}

function differs(path: string, line: number): BusbarError {
  const message = `Line ${line} of ${quoted(path)} differs from this run. Resume it with the release, catalogue and scenarios of the recording.`;
  return new BusbarError('invalid-recording', message);
}

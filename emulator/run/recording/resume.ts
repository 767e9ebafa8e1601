import { BusbarError, quoted } from 'busbar/base';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { Source } from '../source.js';
import { isInputLine, recordedLine } from './format.js';
import type { Recording } from './open-recording.js';

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

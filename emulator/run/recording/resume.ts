import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import type { Emission } from '../emission.js';
import type { Source } from '../source.js';
import { isInputLine, recordedLine } from './format.js';
import type { Recording } from './open-recording.js';

/**
 * Leaves out what an interrupted run has recorded, after making sure that this run is the same: every recorded line
 * must be the one that it would record itself. A last line without its end counts as not recorded.
 * @returns the source from there on, and how many bytes of the recording hold.
 * @throws BusbarError `invalid-recording` for a recording of another run, naming the line.
 */
export async function resumeAfter(
  source: Source,
  recording: Recording,
): Promise<{ readonly source: Source; readonly keep: number }> {
  let keep = recording.headerEnd;
  let pending: Emission[] = [];
  let at = 0;
  for await (const line of recording.lines) {
    if (!line.isWhole) break;
    // Those have been given to the source beforehand.
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
  const message = `Line ${line} of ${quoted(path)} is not what this run would record there. Resume with the release, catalogue and scenarios that it was recorded with.`;
  return new BusbarError('invalid-recording', message);
}

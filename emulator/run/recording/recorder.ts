import type { Sink } from '../../sinks/sink.js';
import { openLineWriter } from '../line-writer.js';
import { headerLine, recordedLine, type RecordingHeader } from './format.js';

/**
 * A sink that records. It has to be the last of a run's sinks: what it holds has reached all others, so that a run
 * which resumes after it loses nothing.
 * @param keep Bytes of an earlier recording to go on after; 0 begins a new one.
 */
export async function recorder(path: string, header: RecordingHeader, keep = 0): Promise<Sink> {
  const file = await openLineWriter(path, { keep });
  if (keep === 0) await file.write(Buffer.from(headerLine(header)));
  return {
    name: 'recording',
    write: (emissions) => file.write(Buffer.from(emissions.map(recordedLine).join(''))),
    end: () => undefined,
    close: () => file.close(),
  };
}

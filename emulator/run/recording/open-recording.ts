import { BusbarError, quoted } from 'busbar/base';
import type { Input } from '../inputs.js';
import { isInputLine, readHeader, readInput, type RecordingHeader } from './format.js';
import { readLines } from './read-lines.js';

/** A recording whose header has been read, with the bytes of the header line, and the lines after it. */
export type Recording = Awaited<ReturnType<typeof openRecording>>;

/** Opens a recording. @throws BusbarError `invalid-option`, or `invalid-recording` if the file isn't a recording */
export async function openRecording(path: string) {
  const lines = readLines(path);
  const first = await lines.next();
  if (first.done === true) {
    throw new BusbarError(
      'invalid-recording',
      `File ${quoted(path)} is empty. Make a recording with: npx emulate --record FILE.`,
    );
  }
  try {
    return { path, header: readFirst(path, first.value.bytes), headerEnd: first.value.end, lines };
  } catch (error) {
    await lines.return();
    throw error;
  }
}

function readFirst(path: string, bytes: Buffer): RecordingHeader {
  try {
    return readHeader(bytes.toString());
  } catch (error) {
    throw brokenLine(path, 1, error as Error, 'Make one with: npx emulate --record FILE.');
  }
}

/** Returns the error of a broken line. @param reason Clause that starts with "it". */
export function brokenLine(path: string, number: number, reason: Error, hint: string): BusbarError {
  const message = `Line ${number} of ${quoted(path)} is broken: ${reason.message}. ${hint}`;
  return new BusbarError('invalid-recording', message, { cause: reason });
}

/**
 * Reads the inputs of a run from its recording, or from a file of input lines.
 * @throws BusbarError `invalid-option`, or `invalid-recording` with the number of a broken line.
 */
export async function inputsIn(path: string): Promise<Input[]> {
  const inputs: Input[] = [];
  let isRecording = false;
  for await (const { bytes, number, isWhole } of readLines(path)) {
    if (number === 1 && bytes.toString().startsWith('{"busbar-recording"')) {
      readFirst(path, bytes);
      isRecording = true;
    }
    // A line without its end counts as not recorded.
    if (!isInputLine(bytes) || !isWhole) continue;
    try {
      inputs.push(readInput(bytes.toString()));
    } catch (error) {
      throw brokenLine(path, number, error as Error, 'Record inputs with: npx emulate --record FILE.');
    }
  }
  if (!isRecording && inputs.length === 0) {
    throw new BusbarError(
      'invalid-recording',
      `File ${quoted(path)} has no inputs. Record inputs with: npx emulate --record FILE.`,
    );
  }
  return inputs;
}

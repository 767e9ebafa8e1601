import { BusbarError, quoted } from 'busbar/base';
import type { Input } from '../inputs.js';
import { isInputLine, readInput } from './format.js';
import { brokenLine } from './open-recording.js';
import { readLines } from './read-lines.js';

/**
 * Reads the inputs of a run from its recording, or from a file of input lines.
 * @throws BusbarError `file-failed`, or `invalid-recording` with the number of a broken line.
 */
export async function inputsIn(path: string): Promise<Input[]> {
  const inputs: Input[] = [];
  let lines = 0;
  for await (const { bytes, number, isWhole } of readLines(path)) {
    lines++;
    // A line without its end counts as not recorded.
    if (!isInputLine(bytes) || !isWhole) continue;
    try {
      inputs.push(readInput(bytes.toString()));
    } catch (error) {
      throw brokenLine(path, number, error as Error, 'Record inputs with: emulate --record FILE.');
    }
  }
  if (lines === 0) {
    throw new BusbarError(
      'invalid-recording',
      `File ${quoted(path)} is empty. Record inputs with: emulate --record FILE.`,
    );
  }
  return inputs;
}

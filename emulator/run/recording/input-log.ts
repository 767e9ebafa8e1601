import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import type { Input } from '../inputs.js';
import { isInputLine, readInput } from './format.js';
import { brokenLine } from './open-recording.js';
import { readLines } from './read-lines.js';

/**
 * What came into a run from outside, out of its recording, or of a file with such lines alone.
 * @throws BusbarError `invalid-recording` naming the number of a broken line, `file-failed`.
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
      throw brokenLine(path, number, error as Error, 'Inputs are written by: emulate --record FILE.');
    }
  }
  if (lines === 0) {
    throw new BusbarError('invalid-recording', `File ${quoted(path)} is empty: it holds no inputs.`);
  }
  return inputs;
}

import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';

/** No event is nested a tenth as deep. What copies, validates or writes JSON calls itself for each level. */
const mostLevels = 100;

/** @throws BusbarError `invalid-option` for a value that is nested too deep, by the name of it. */
export function requireShallow(name: string, value: unknown): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) {
      const message = `${quoted(name)} is nested deeper than ${mostLevels} levels. Send one with fewer.`;
      throw new BusbarError('invalid-option', message);
    }
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
}

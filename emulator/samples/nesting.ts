import { BusbarError, quoted } from 'busbar/base';

/** Ten times the depth of any built-in event. Code that copies, validates or writes JSON recurses for each level. */
const maxLevels = 100;

/** @throws BusbarError `invalid-option` for a value that is nested too deep. `name` identifies it in the message. */
export function requireShallow(name: string, value: unknown): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) {
      const message = `${quoted(name)} is nested deeper than ${maxLevels} levels. Use fewer levels.`;
      throw new BusbarError('invalid-option', message);
    }
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
}

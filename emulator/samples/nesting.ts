import { BusbarError, isDeeper, quoted } from 'busbar/base';

/** Ten times the depth of any built-in event. Code that copies, validates or writes JSON recurses for each level. */
const maxLevels = 100;

/** @throws BusbarError `invalid-option` for a value that is nested too deep. `name` identifies it in the message. */
export function requireShallow(name: string, value: unknown): void {
  if (!isDeeper(value, maxLevels)) return;
  const message = `${quoted(name)} is nested deeper than ${maxLevels} levels. Use fewer levels.`;
  throw new BusbarError('invalid-option', message);
}

import { BusbarError, isDeeper, quoted } from 'busbar/base';

/** Ten times the depth of any built-in event. Code that copies, validates or writes JSON recurses for each level. */
const maxLevels = 100;

/**
 * @param name Identifies the value in messages.
 * @throws BusbarError `invalid-option` for a value that is nested too deep, or has a number that `JSON.parse` rounds
 */
export function requireSendable(name: string, value: unknown): void {
  const refuse = (problem: string) => {
    throw new BusbarError('invalid-option', `${quoted(name)} ${problem}.`);
  };
  if (isDeeper(value, maxLevels)) refuse(`is nested deeper than ${maxLevels} levels. Use fewer levels`);
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'number' || Math.abs(each) <= Number.MAX_SAFE_INTEGER) return each;
    return refuse(
      `has an integer above ${Number.MAX_SAFE_INTEGER}, which would be rounded. Use a smaller one`,
    );
  });
}

import { BusbarError, quoted } from 'busbar/base';
import { defaultMix, type Mix } from './mix.js';

/** Changes of a {@link Mix}, in per mille: any of its rows, and of a row any of its shares. */
export type MixChanges = { readonly [Name in keyof Omit<Mix, 'kinds'>]?: Shares };

type Shares = number | { readonly [name: string]: Shares };

/** Returns the default mix with changes. @throws BusbarError `invalid-option` for an unknown name or impossible shares */
export function readMix(changes: MixChanges): Mix {
  // Scenarios count on the kinds of cells.
  const { kinds, ...rest } = defaultMix;
  return { kinds, ...(changed('mix', rest, changes) as Omit<Mix, 'kinds'>) };
}

function changed(path: string, usual: Shares, change: Shares): Shares {
  if (typeof usual === 'number') {
    if (typeof change === 'number' && change >= 0 && change <= 1000 && Number.isInteger(change))
      return change;
    throw invalid(`Option ${quoted(path)} must be a whole number from 0 to 1000, in per mille.`);
  }
  if (typeof change !== 'object') throw invalid(`Option ${quoted(path)} must be an object with shares.`);
  const result: Record<string, Shares> = { ...usual };
  for (const [name, share] of Object.entries(change)) {
    const before = Object.hasOwn(usual, name) ? usual[name] : undefined;
    if (before === undefined) {
      const possible = Object.keys(usual).join(', ');
      throw invalid(`Option ${quoted(path)} has no ${quoted(name)}. Possible: ${possible}.`);
    }
    result[name] = changed(`${path}.${name}`, before, share);
  }
  const sum = sumOf(result);
  // The parts of a choice are one whole; other rows are independent shares.
  if (sumOf(usual) !== 1000 || sum === 1000) return result;
  throw invalid(`The shares of ${quoted(path)} add up to ${sum}. Change them to add up to 1000.`);
}

function sumOf(shares: Exclude<Shares, number>): number {
  return Object.values(shares).reduce<number>(
    (sum, share) => sum + (typeof share === 'number' ? share : NaN),
    0,
  );
}

function invalid(message: string): BusbarError {
  return new BusbarError('invalid-option', message);
}

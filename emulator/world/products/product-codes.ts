import type { RandomStream } from '../../engine/random.js';

/** Product codes of households, with the likelihood of each. */
const householdProducts = {
  'VAR-22-11-01': 0.5,
  'FIX-12M-26-01-14': 0.25,
  'AGILE-24-10-01': 0.12,
  'SILVER-25-04-11': 0.05,
  'GO-VAR-22-10-14': 0.08,
} as const;

/** Product of a fixed term that is about to end, and the default product after it. */
export const fixedTermProduct = 'FIX-12M-25-03-19';
export const productAfterTerm = 'VAR-22-11-01';

/** Draws a product of households, other than `except`. */
export function householdProduct(random: RandomStream, except?: string): string {
  return random.weighted((except !== undefined && productsBut[except]) || householdProducts);
}

/** The other products, by product. These objects are constant because `weighted` caches by object. */
const productsBut: Readonly<Record<string, Readonly<Record<string, number>>>> = Object.fromEntries(
  Object.keys(householdProducts).map((except) => [
    except,
    Object.fromEntries(Object.entries(householdProducts).filter(([code]) => code !== except)),
  ]),
);

import type { RandomStream } from '../engine/random.js';

/** Codes of the products that a household can be on, with how common each is. */
const householdProducts = {
  'VAR-22-11-01': 0.5,
  'FIX-12M-26-01-14': 0.25,
  'AGILE-24-10-01': 0.12,
  'SILVER-25-04-11': 0.05,
  'GO-VAR-22-10-14': 0.08,
} as const;

/** The product of a fixed term that is about to end, and the one that follows it unless the customer chooses. */
export const fixedTermProduct = 'FIX-12M-25-03-19';
export const productAfterTerm = 'VAR-22-11-01';

/** A product that a household could be on, other than `except`. */
export function householdProduct(random: RandomStream, except?: string): string {
  return random.weighted((except !== undefined && productsBut[except]) || householdProducts);
}

/** The products without each of them: weights are looked up by the object that holds them. */
const productsBut: Readonly<Record<string, Readonly<Record<string, number>>>> = Object.fromEntries(
  Object.keys(householdProducts).map((except) => [
    except,
    Object.fromEntries(Object.entries(householdProducts).filter(([code]) => code !== except)),
  ]),
);

import type { RandomStream } from '../engine/random.js';

/** Codes of the products that a household can be on, with how common each is. */
const householdProducts = {
  'VAR-22-11-01': 0.5,
  'FIX-12M-26-01-14': 0.25,
  'AGILE-24-10-01': 0.12,
  'SILVER-25-04-11': 0.05,
  'GO-VAR-22-10-14': 0.08,
} as const;

export function householdProduct(random: RandomStream): string {
  return random.weighted(householdProducts);
}

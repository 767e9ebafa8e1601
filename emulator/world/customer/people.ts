import { memoized } from 'busbar/base';
import type { RandomStream } from '../../engine/random.js';
import { names } from './generated/names.js';

/** The name of a fictional person. */
export interface PersonName {
  readonly given: string;
  readonly family: string;
}

/** Draws a name. @param partner A member of the same household, with whom most share the family name. */
export function personName(random: RandomStream, partner?: PersonName): PersonName {
  const culture = random.weighted(cultures);
  const family = random.chance(oneCulture) ? culture : random.weighted(cultures);
  const own = { given: ranked(culture, 'given', random), family: ranked(family, 'family', random) };
  return partner !== undefined && random.chance(sharedNames) ? { ...own, family: partner.family } : own;
}

/** Returns an address in a domain reserved for examples (RFC 2606). A unique `tag` makes it unique. */
export function emailAddress({ given, family }: PersonName, tag: string, random: RandomStream): string {
  const domain = random.weighted(domains);
  return `${ascii(given)}.${ascii(family)}+${tag}@${domain}`.toLowerCase();
}

const domains = { 'example.com': 0.7, 'example.org': 0.2, 'example.net': 0.1 };

type Culture = keyof typeof names;

/** Percent of the population, after the census of 2021 in England and Wales. */
const cultures: Readonly<Record<Culture, number>> = {
  british: 74,
  polish: 3,
  romanian: 2.5,
  portuguese: 1,
  italian: 1.5,
  indian: 5,
  pakistani: 6,
  african: 4.5,
  chinese: 1.5,
  turkish: 1,
};

/** Share of people whose names are of one culture, and of second members of a household who share the family name. */
const [oneCulture, sharedNames] = [0.92, 0.8];

/** Draws a name of a list. Its frequency is the reciprocal of its rank + 20. */
function ranked(culture: Culture, part: keyof PersonName, random: RandomStream): string {
  const { values, sums } = listOf(names[culture][part]);
  const drawn = random.next() * (sums.at(-1) as number);
  let [from, to] = [0, sums.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (drawn < (sums[middle] as number)) to = middle;
    else from = middle + 1;
  }
  return values[from] as string;
}

interface RankedList {
  readonly values: readonly string[];
  /** Sum of the frequencies up to each value. */
  readonly sums: Float64Array;
}

const listOf = memoized((text: string): RankedList => {
  const values = text.split('|');
  let sum = 0;
  return { values, sums: Float64Array.from(values, (_, rank) => (sum += 1 / (rank + 20))) };
});

/** Returns the name without accents, apostrophes and spaces. */
function ascii(name: string): string {
  if (/^[A-Za-z]+$/.test(name)) return name;
  const plain = name.normalize('NFD').replaceAll(/[łıøɔε]/gi, (letter) => letters[letter] ?? letter);
  return plain.replaceAll(/[^A-Za-z-]/g, '');
}

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ı: 'i', ø: 'o', ɔ: 'o', ε: 'e' };

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { randomStream } from '../../../emulator/engine/random.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';
import { addressOf } from '../../../emulator/world/customer/addresses.js';
import { names } from '../../../emulator/world/customer/generated/names.js';
import { landscapes } from '../../../emulator/world/customer/generated/places.js';
import { emailAddress, type PersonName, personName } from '../../../emulator/world/customer/people.js';
import { regions } from '../../../emulator/world/identifiers.js';
import { namesSource } from './write-vocabulary.js';

const draws = 20_000;
const random = randomStream(1, 'people');
const people = Array.from({ length: draws }, () => personName(random));
const distinct = (lists: readonly string[]) => new Set(lists.flatMap((list) => list.split('|')));

/** Returns the share of the most common value. */
function commonest(values: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values()) / values.length;
}

describe('names', () => {
  it('vary, and none occurs much more often than in the population', () => {
    const cultures = Object.values(names);
    expect(distinct(cultures.map(({ given }) => given)).size).toBeGreaterThan(2_500);
    expect(distinct(cultures.map(({ family }) => family)).size).toBeGreaterThan(1_500);
    expect(commonest(people.map(({ given }) => given))).toBeLessThan(0.012);
    expect(commonest(people.map(({ family }) => family))).toBeLessThan(0.015);
  });

  it('agree for most members of a household', () => {
    const partner: PersonName = { given: 'Anwen', family: 'Marlowe' };
    const shared = people.filter(() => personName(random, partner).family === partner.family);
    expect(shared.length / draws).toBeCloseTo(0.8, 1);
  });

  it('become addresses in plain letters, at domains without an owner', () => {
    const emails = people.map((name, nth) => emailAddress(name, String(nth), random));
    expect(emails.filter((email) => !/^[a-z-]+\.[a-z-]+\+\d+@example\.(com|org|net)$/.test(email))).toEqual(
      [],
    );
    expect(emailAddress({ given: 'Żółta', family: "O'Çakır Ruiz" }, '1', random)).toMatch(
      /^zolta\.ocakirruiz\+1@/,
    );
  });

  it('begin each part of a name with a hyphen with a capital letter', () => {
    const all = Object.values(names).flatMap(({ given, family }) => [
      ...given.split('|'),
      ...family.split('|'),
    ]);
    expect(all.filter((name) => /-\p{Ll}/u.test(name))).toEqual([]);
  });

  it('equal the output of the script', async () => {
    const file = new URL('../../../emulator/world/customer/generated/names.ts', import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(namesSource());
  });
});

describe('places', () => {
  const world = worldOf({ seed: 1, start: defaultStart, cells: 4_000 });
  const addresses = Array.from({ length: 4_000 }, (_, nth) => {
    const cell = openCell(world, nth + 1);
    return addressOf(cell, cell.properties[0]!);
  });

  it('use 40 coined towns for each region, each in one region', () => {
    const towns = regions.flatMap(({ letter }) => landscapes[letter]!.towns.split('|'));
    expect(towns.length).toBe(40 * regions.length);
    expect(new Set(towns).size).toBe(towns.length);
  });

  it('keep one district for a town, and one sector for a street', () => {
    const districts = new Map<string, string>();
    const sectors = new Map<string, string>();
    for (const { town, street, postcode } of addresses) {
      const [district = '', inward = ''] = postcode.split(' ');
      expect([town, districts.get(town) ?? district]).toEqual([town, district]);
      districts.set(town, district);
      const name = `${street}, ${town}`;
      const sector = inward.charAt(0);
      expect([name, sectors.get(name) ?? sector]).toEqual([name, sector]);
      sectors.set(name, sector);
    }
    expect(districts.size).toBeGreaterThan(500);
  });

  it('give half of the houses a number up to 40', () => {
    const low = addresses.filter(({ buildingNumber }) => buildingNumber <= 40).length;
    expect(low / addresses.length).toBeCloseTo(0.5, 1);
  });
});

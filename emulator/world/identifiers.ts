import { BusbarError, memoized } from 'busbar/base';
import { permutation } from '../engine/permutation.js';
import { names } from '../engine/random.js';
import { formatUuid } from '../engine/uuid.js';
import { type IntegerIds, integerIds, type WorldSize } from './integer-ids.js';

/**
 * The identifiers of a world. Each is a bijection of its owner's index, not a random draw: identifiers are unique in any
 * order of use, so runs can be split and joined. All are fictional by construction.
 */
export interface Identifiers extends IntegerIds {
  /** `A-1B2C3D4E`: a prefix and eight hexadecimal digits, for the `nth` (from 0) of its kind in the cell. */
  number(kind: NumberKind, cell: number, nth: number): string;
  /** The cell that owns a prefixed number of any kind; undefined for any other text. */
  cellOf(number: string): number | undefined;
  /** A version 4 UUID in lower case, for the `nth` (from 0) of its kind in the cell. */
  uuid(kind: string, cell: number, nth: number): string;
  /** The distribution region of all properties of the cell. */
  region(cell: number): Region;
  /** 13 digits, for the `nth` (from 0) property of the cell. */
  mpan(cell: number, nth: number): string;
  /**
   * 13 digits: the export MPAN of the `nth` (from 0) property of the cell. Imported properties follow the cell's own in
   * the count.
   */
  exportMpan(cell: number, nth: number): string;
  /** 10 digits, for the `nth` (from 0) property of the cell; one in a hundred is in a private network (749...). */
  mprn(cell: number, nth: number): string;
  /** The cell that owns that MPAN or MPRN; undefined for a meter point outside the world. */
  cellAtMeterPoint(meterPoint: string): number | undefined;
  /** 17 or 22 digits, for the `nth` (from 0) property of a cell in Texas, beginning with its utility's prefix. */
  esiId(cell: number, nth: number, format: { readonly prefix: string; readonly digits: number }): string;
  /**
   * Eight digits or more, unique within the fuel, for the `nth` (from 0) meter of a property. Imported supply points
   * follow the cell's own properties in the count.
   */
  meter(fuel: 'electricity' | 'gas', cell: number, property: number, nth: number): string;
}

export type NumberKind = keyof typeof prefixes;

/** A distribution network of Great Britain: the first two digits of its MPANs, and the letter of its GSP group. */
export interface Region {
  readonly distributor: string;
  readonly letter: string;
}

/** Maximum cells of a world: the capacity of the shortest format, the MPRN, at four properties a cell. */
export const cellsPerWorld = 14 * 178_571;
/** Properties of a cell, without imported ones. */
export const propertiesPerCell = 4;
/** Maximum export MPANs of a cell, including those of imported properties. */
const exportsPerCell = 9 * propertiesPerCell;
/** Maximum meters of a supply point over time. */
export const metersPerSupplyPoint = 4;
/** Maximum prefixed numbers of one kind in a cell. */
export const numbersPerCell = 256;
/** The cell of scenarios about the platform itself. */
export const platformCell = 0;

/** Maximum UUIDs of one kind in a cell. */
const uuidsPerCell = 2 ** 20;

/** Distributors 10 to 23. */
export const regions: readonly Region[] = Array.from('ABCDEFGPNJHKLM', (letter, nth) => ({
  distributor: String(10 + nth),
  letter,
}));

/** Returns the identifiers of a world. Only whole-number ids depend on more than its seed. */
export function identifiers(world: WorldSize): Identifiers {
  const { seed } = world;
  /** The permutations of a family, each created on first use. */
  const family = (size: number, prefix = '') =>
    memoized((name: string) => permutation(size, seed, prefix + name));
  const numbers = family(2 ** 32);
  // Twelve hexadecimal digits, so that the first one varies, too.
  const uuids = family(2 ** 48, 'uuid ');
  const mpans = family(1_000_000, 'mpan ');
  const exportMpans = family(1_000_000, 'export mpan ');
  const meters = family(40_000_000, 'meter ');
  const cells = permutation(cellsPerWorld, seed, 'regions');
  const mprns = permutation(10_000_000, seed, 'mprn');
  const esiIds = permutation(10_000_000, seed, 'esi');
  const permuted = (cell: number) => cells.apply(below(cellsPerWorld, cell, 'cells'));
  const regionOf = (cell: number) => regions[permuted(cell) % regions.length] as Region;
  /** Index of a property within its region. */
  const indexInRegion = (cell: number, nth: number) =>
    Math.floor(permuted(cell) / regions.length) * propertiesPerCell +
    below(propertiesPerCell, nth, 'properties in a cell');
  /** Index of a property in the world. */
  const indexInWorld = (cell: number, nth: number) =>
    permuted(cell) * propertiesPerCell + below(propertiesPerCell, nth, 'properties in a cell');
  const cellAt = (index: number) => (index < cellsPerWorld ? cells.invert(index) : undefined);
  const mpanIn = (kind: typeof mpans, block: string, cell: number, nth: number) => {
    const { distributor } = regionOf(cell);
    const unique = kind(distributor).apply(indexInRegion(cell, nth));
    const body = `${distributor}${block}${String(unique).padStart(6, '0')}`;
    return body + String(mpanCheckDigit(body));
  };

  return {
    number(kind, cell, nth) {
      const index =
        below(2 ** 24, cell, 'cells') * numbersPerCell + below(numbersPerCell, nth, 'numbers', kind);
      return `${prefixes[kind]}-${upperHex8(numbers(kind).apply(index))}`;
    },
    cellOf(number) {
      const [, prefix, digits = ''] = /^([A-Z]+)-([\dA-F]{8})$/.exec(number) ?? [];
      const kind = Object.entries(prefixes).find(([, each]) => each === prefix)?.[0];
      if (kind === undefined) return undefined;
      return Math.floor(numbers(kind).invert(Number.parseInt(digits, 16)) / numbersPerCell);
    },
    ...integerIds(world),
    uuid(kind, cell, nth) {
      const index = below(2 ** 24, cell, 'cells') * uuidsPerCell + below(uuidsPerCell, nth, 'UUIDs', kind);
      // The first twelve digits make the UUID unique; the rest only has to look random.
      const owner = uuids(kind).apply(index);
      const rest = names(seed, kind, index);
      const [a, b] = [rest.hash32('a'), rest.hash32('b')];
      const version = ((owner & 0xffff) << 16) | 0x4000 | (a & 0xfff);
      return formatUuid(owner / 0x1_0000, version, (b & 0x3fff_ffff) | 0x8000_0000, a ^ b);
    },
    region: regionOf,
    mpan: (cell, nth) => mpanIn(mpans, '9990', cell, nth),
    exportMpan(cell, nth) {
      const block = 1 + Math.floor(below(exportsPerCell, nth, 'exports in a cell') / propertiesPerCell);
      return mpanIn(exportMpans, `999${block}`, cell, nth % propertiesPerCell);
    },
    mprn(cell, nth) {
      const unique = mprns.apply(indexInWorld(cell, nth));
      const body =
        unique < privateNetworks
          ? `749${String(unique).padStart(5, '0')}`
          : `9${String(unique).padStart(7, '0')}`;
      return body + String(mprnCheck(body)).padStart(2, '0');
    },
    cellAtMeterPoint(meterPoint) {
      const [, distributor = '', block, index] = /^(\d\d)999(\d)(\d{6})\d$/.exec(meterPoint) ?? [];
      const region = regions.findIndex((each) => each.distributor === distributor);
      if (region >= 0 && Number(meterPoint.at(-1)) === mpanCheckDigit(meterPoint.slice(0, 12))) {
        const kind = block === '0' ? mpans : exportMpans;
        const property = kind(distributor).invert(Number(index));
        return cellAt(Math.floor(property / propertiesPerCell) * regions.length + region);
      }
      const unique = Number(/^(?:749(?=\d{7}$)|9(?=\d{9}$))(\d+)\d\d$/.exec(meterPoint)?.[1] ?? Number.NaN);
      const isAllocated = meterPoint.startsWith('9') ? unique >= privateNetworks : unique < privateNetworks;
      if (!isAllocated || Number(meterPoint.slice(-2)) !== mprnCheck(meterPoint.slice(0, 8)))
        return undefined;
      return cellAt(Math.floor(mprns.invert(unique) / propertiesPerCell));
    },
    esiId(cell, nth, { prefix, digits }) {
      const unique = esiIds.apply(indexInWorld(cell, nth));
      return `${prefix}999${String(unique).padStart(digits - prefix.length - 3, '0')}`;
    },
    meter(fuel, cell, property, nth) {
      const index =
        indexInWorld(cell, property % propertiesPerCell) * metersPerSupplyPoint +
        below(metersPerSupplyPoint, nth, 'meters at a supply point');
      const digits = String(meters(fuel).apply(index)).padStart(8, '0');
      return property < propertiesPerCell ? digits : `${Math.floor(property / propertiesPerCell)}${digits}`;
    },
  };
}

/** Returns the 13th digit of an MPAN core: the first twelve times primes, modulo 11, modulo 10. */
export function mpanCheckDigit(body: string): number {
  let sum = 0;
  for (let at = 0; at < mpanWeights.length; at++) sum += (mpanWeights[at] as number) * digitAt(body, at);
  return (sum % 11) % 10;
}

/** Returns the last two digits of an MPRN: the others with weights n down to 1, modulo 11. */
export function mprnCheck(body: string): number {
  let sum = 0;
  for (let at = 0; at < body.length; at++) sum += (body.length - at) * digitAt(body, at);
  return sum % 11;
}

/** Prefixes of numbers by kind. The specification names `A` and those of processes; the others are fictional. */
const prefixes = {
  account: 'A',
  user: 'U',
  join: 'JS',
  leave: 'LS',
  ledger: 'L',
  collection: 'CP',
  lead: 'LE',
  opportunity: 'OP',
  quote: 'QC',
  journey: 'CJ',
} as const;

/** MPRNs that begin with 749: one in a hundred. */
const privateNetworks = 100_000;

const mpanWeights = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - 0x30;
}

/** Formats eight upper-case hexadecimal digits. Most events contain some, so it avoids intermediate strings. */
function upperHex8(value: number): string {
  return String.fromCharCode(
    upperDigit(value >>> 28),
    upperDigit(value >>> 24),
    upperDigit(value >>> 20),
    upperDigit(value >>> 16),
    upperDigit(value >>> 12),
    upperDigit(value >>> 8),
    upperDigit(value >>> 4),
    upperDigit(value),
  );
}

function upperDigit(word: number): number {
  const value = word & 15;
  return value < 10 ? 0x30 + value : 0x37 + value;
}

/** @throws BusbarError `capacity-exceeded` for an index beyond the limit. */
function below(limit: number, index: number, what: string, kind?: string): number {
  if (index < limit) return index;
  const named = kind === undefined ? what : `${what} "${kind}" in a cell`;
  throw new BusbarError(
    'capacity-exceeded',
    `There are identifiers for at most ${limit} ${named}. Use fewer instances or a shorter run.`,
  );
}

import { hash32, randomStream } from '../../engine/random.js';
import type { Cell, Property } from '../cell.js';
import { buildings, landscapes as generated, streetStems } from './generated/places.js';

/** The address of a property. Missing parts are empty. */
interface Address {
  readonly subBuildingName: string;
  readonly buildingName: string;
  /** 0 for a building without a number. */
  readonly buildingNumber: number;
  readonly dependentStreet: string;
  readonly street: string;
  readonly locality: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
}

/** The address of an imported account, in lines. */
export interface AddressLines {
  readonly line1: string;
  readonly line2?: string;
  readonly postcode: string;
}

/**
 * Returns the constant address of one of the cell's properties. Addresses that were not imported are fictional: their
 * postcodes begin with X, like none in Great Britain, then the letter of the region, which matches the MPAN's
 * distributor. A town has one district, and a street one sector.
 */
export function addressOf(cell: Cell, property: Property): Address {
  const known = imported.get(property);
  if (known !== undefined) return known;
  const place = cell.properties.indexOf(property);
  const random = randomStream(cell.seed, cell.index, 'address', place);
  const { letter } = property.region;
  const { towns, counties } = landscapes[letter] as Landscape;
  const district = random.integer(1, towns.length);
  const town = towns[district - 1] as string;
  const street = `${random.pick(stems)} ${random.weighted(kindsOfStreet)}`;
  const sector = hash32(town, street) % 10;
  const inward = () => inwardLetters.charAt(random.integer(0, inwardLetters.length - 1));
  const flat = place === 0 ? cell.traits.flat : random.chance(0.22);
  const low = random.next();
  return {
    subBuildingName: flat ? `Flat ${random.integer(1, 24)}` : '',
    buildingName: flat ? random.pick(houses) : '',
    // Half of the numbers are at most 40.
    buildingNumber: 1 + Math.floor(low * low * 160),
    dependentStreet: '',
    street,
    locality: random.chance(0.25) ? `${random.pick(stems)} ${random.pick(kindsOfLocality)}` : '',
    town,
    county: counties[district % counties.length] as string,
    postcode: `X${letter}${district} ${sector}${inward()}${inward()}`,
  };
}

export function importAddress(property: Property, lines: AddressLines): void {
  imported.set(property, inParts(lines));
}

/** Returns number and street, or the first line of an address without a number. */
export function houseAndStreet({ buildingNumber, street }: Address): string {
  return buildingNumber === 0 ? street : `${buildingNumber} ${street}`;
}

interface Landscape {
  readonly towns: readonly string[];
  readonly counties: readonly string[];
}

/** Towns and counties by the letter of the region. */
const landscapes: Readonly<Record<string, Landscape>> = Object.fromEntries(
  Object.entries(generated).map(([letter, { towns, counties }]) => [
    letter,
    { towns: towns.split('|'), counties: counties.split('|') },
  ]),
);

const stems = streetStems.split('|');
const houses = buildings.split('|');

/** Percent. */
const kindsOfStreet = {
  Road: 22,
  Street: 15,
  Close: 11,
  Avenue: 10,
  Lane: 8,
  Drive: 8,
  Way: 5,
  Crescent: 4,
  Gardens: 3,
  Court: 2,
  Terrace: 2,
  Place: 2,
  Grove: 1,
  Walk: 1,
  Rise: 1,
  Hill: 1,
  Row: 0.5,
  Mews: 0.5,
  Green: 0.5,
  View: 0.5,
  Park: 0.5,
  Square: 0.5,
  Yard: 0.5,
  Gate: 0.5,
};

const kindsOfLocality = ['End', 'Green', 'Heath', 'Park', 'Vale'] as const;

/** Letters allowed in the second half of a postcode: all but C, I, K, M, O and V. */
const inwardLetters = 'ABDEFGHJLNPQRSTUWXYZ';

const imported = new WeakMap<Property, Address>();

/** Splits an address so that {@link houseAndStreet} restores its lines. */
function inParts({ line1, line2 = '', postcode }: AddressLines): Address {
  const number = /^([1-9]\d{0,5}) (\S.*)$/;
  // The first line is a flat or a building where only the second has a number.
  const isBuilding = !number.test(line1) && number.test(line2);
  const line = isBuilding ? line2 : line1;
  const [, buildingNumber = '0', street = line] = number.exec(line) ?? [];
  return {
    subBuildingName: '',
    buildingName: isBuilding ? line1 : '',
    buildingNumber: Number(buildingNumber),
    dependentStreet: '',
    street,
    locality: isBuilding ? '' : line2,
    town: '',
    county: '',
    postcode,
  };
}

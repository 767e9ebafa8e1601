import { randomStream } from '../engine/random.js';
import type { Cell, Property } from './cell.js';
import { buildings, inwardLetters, localities, streets, towns } from './vocabulary/addresses.js';

/** Where a property is. Parts that it does not have are empty. */
export interface Address {
  readonly subBuildingName: string;
  readonly buildingName: string;
  /** 0 for a building that has a name alone. */
  readonly buildingNumber: number;
  readonly dependentStreet: string;
  readonly street: string;
  readonly locality: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
}

/** An address as it came with an account: in lines. */
export interface AddressLines {
  readonly line1: string;
  readonly line2?: string;
  readonly postcode: string;
}

/**
 * The address of one of the cell's properties: it never changes. It came with an account, or else it does not exist:
 * postcodes begin with X, as none does in Great Britain, and the letter of the region, so that they agree with the
 * MPAN's distributor.
 */
export function addressOf(cell: Cell, property: Property): Address {
  const known = given.get(property);
  if (known !== undefined) return known;
  const random = randomStream(cell.seed, cell.index, 'address', cell.properties.indexOf(property));
  const { town, county } = random.pick(towns);
  const letter = () => inwardLetters.charAt(random.integer(0, inwardLetters.length - 1));
  const flat = random.chance(0.15);
  return {
    subBuildingName: flat ? `Flat ${random.integer(1, 24)}` : '',
    buildingName: flat ? random.pick(buildings) : '',
    buildingNumber: random.integer(1, 180),
    dependentStreet: '',
    street: random.pick(streets),
    locality: random.chance(0.25) ? random.pick(localities) : '',
    town,
    county,
    postcode: `X${property.region.letter}${random.integer(1, 29)} ${random.integer(0, 9)}${letter()}${letter()}`,
  };
}

/** The property is where somebody outside says that it is. */
export function giveAddress(property: Property, lines: AddressLines): void {
  given.set(property, inParts(lines));
}

/** Number and street, or what stands in their place. */
export function houseAndStreet({ buildingNumber, street }: Address): string {
  return buildingNumber === 0 ? street : `${buildingNumber} ${street}`;
}

const given = new WeakMap<Property, Address>();

/** Whatever goes in comes out again, line by line: see {@link houseAndStreet}. */
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

import { randomStream } from '../../engine/random.js';
import type { Cell, Property } from '../cell.js';
import { buildings, inwardLetters, localities, streets, towns } from './places.js';

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
 * distributor.
 */
export function addressOf(cell: Cell, property: Property): Address {
  const known = imported.get(property);
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

export function importAddress(property: Property, lines: AddressLines): void {
  imported.set(property, inParts(lines));
}

/** Returns number and street, or the first line of an address without a number. */
export function houseAndStreet({ buildingNumber, street }: Address): string {
  return buildingNumber === 0 ? street : `${buildingNumber} ${street}`;
}

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

import { randomStream } from '../engine/random.js';
import type { Cell, Property } from './cell.js';
import { buildings, inwardLetters, localities, streets, towns } from './vocabulary/addresses.js';

/** Where a property is. Parts that it does not have are empty. */
export interface Address {
  readonly subBuildingName: string;
  readonly buildingName: string;
  readonly buildingNumber: number;
  readonly dependentStreet: string;
  readonly street: string;
  readonly locality: string;
  readonly town: string;
  readonly county: string;
  readonly postcode: string;
}

/**
 * The address of one of the cell's properties: it never changes, and does not exist. Postcodes begin with X, as none
 * does in Great Britain, and the letter of the region, so that they agree with the MPAN's distributor.
 */
export function addressOf(cell: Cell, property: Property): Address {
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

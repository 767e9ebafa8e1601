import type { RandomStream } from '../engine/random.js';
import { randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { type Identifiers, type NumberKind, propertiesPerCell, type Region } from './identifiers.js';
import { emailAddress, type PersonName, personName } from './people.js';
import { householdProduct } from './products.js';

/**
 * One household with everything that it can ever touch: the unit of truth and of determinism. Its first state is a
 * function of (seed, cell); after that only the functions in `changes/` alter it, each of which also says what the
 * platform publishes about the change.
 */
export interface Cell {
  readonly index: number;
  /** The account that exists from the beginning; its home is `properties[0]`. */
  readonly household: Account;
  /** Homes that it lives in or can move to, all in one region. */
  readonly properties: readonly Property[];
  /** Hands out the next identifiers. */
  readonly ids: CellIds;
}

export interface CellIds {
  number(kind: NumberKind): string;
  integer(kind: string): number;
}

export interface User {
  readonly id: number;
  readonly number: string;
  readonly name: PersonName;
  readonly email: string;
  readonly accounts: Account[];
}

export interface Account {
  readonly id: number;
  readonly number: string;
  /** Never changes. */
  readonly ledger: string;
  readonly users: User[];
  readonly agreements: Agreement[];
  readonly occupancies: Occupancy[];
}

export interface Property {
  readonly id: number;
  readonly region: Region;
  readonly supplyPoints: readonly SupplyPoint[];
}

export interface SupplyPoint {
  readonly id: number;
  readonly market: Market;
  /** MPAN or MPRN. */
  readonly identifier: string;
}

export type Market = 'GBR_ELECTRICITY' | 'GBR_GAS';

/** An account living in a property, from its first day to the day it left (exclusive). */
export interface Occupancy {
  readonly id: number;
  readonly property: Property;
  readonly from: Day;
  to: Day | undefined;
  readonly metadata: Map<string, string>;
}

export interface Agreement {
  readonly id: number;
  readonly supplyPoint: SupplyPoint;
  readonly product: string;
  readonly from: Day;
  to: Day | undefined;
}

/** The state of a cell before anything happens to it; `today` is the first day of the run. */
export function openCell(seed: number, identifiers: Identifiers, index: number, today: Day): Cell {
  const random = randomStream(seed, index, 'household');
  const taken = new Map<string, number>();
  const nth = (kind: string) => {
    const count = taken.get(kind) ?? 0;
    taken.set(kind, count + 1);
    return count;
  };
  const ids: CellIds = {
    number: (kind) => identifiers.number(kind, index, nth(kind)),
    integer: (kind) => identifiers.integer(kind, index, nth(`id ${kind}`)),
  };

  const hasGas = random.chance(0.78);
  const properties = Array.from({ length: propertiesPerCell }, (_, place): Property => {
    const electricity: SupplyPoint = {
      id: ids.integer('supply point'),
      market: 'GBR_ELECTRICITY',
      identifier: identifiers.mpan(index, place),
    };
    const gas: SupplyPoint = {
      id: ids.integer('supply point'),
      market: 'GBR_GAS',
      identifier: identifiers.mprn(index, place),
    };
    const supplyPoints = (place === 0 ? hasGas : random.chance(0.78)) ? [electricity, gas] : [electricity];
    return { id: ids.integer('property'), region: identifiers.region(index), supplyPoints };
  });

  const household = newAccount(ids);
  household.users.push(newUser(ids, random, household));
  const home = properties[0] as Property;
  const movedIn = today - random.integer(60, 3000);
  household.occupancies.push(newOccupancy(ids, home, movedIn));
  for (const supplyPoint of home.supplyPoints) {
    const agreement = newAgreement(ids, supplyPoint, householdProduct(random), movedIn);
    household.agreements.push(agreement);
  }
  return { index, household, properties, ids };
}

export function newAccount(ids: CellIds): Account {
  return {
    id: ids.integer('account'),
    number: ids.number('account'),
    ledger: ids.number('ledger'),
    users: [],
    agreements: [],
    occupancies: [],
  };
}

/** Somebody new, linked to the account. */
export function newUser(ids: CellIds, random: RandomStream, account: Account): User {
  const number = ids.number('user');
  const name = personName(random);
  return {
    id: ids.integer('user'),
    number,
    name,
    email: emailAddress(name, number.slice(2), random),
    accounts: [account],
  };
}

export function newOccupancy(ids: CellIds, property: Property, from: Day): Occupancy {
  return { id: ids.integer('occupancy'), property, from, to: undefined, metadata: new Map() };
}

export function newAgreement(ids: CellIds, supplyPoint: SupplyPoint, product: string, from: Day): Agreement {
  return { id: ids.integer('agreement'), supplyPoint, product, from, to: undefined };
}

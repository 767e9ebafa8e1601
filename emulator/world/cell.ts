import { type RandomStream, randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { type Identifiers, type NumberKind, propertiesPerCell, type Region } from './identifiers.js';
import type { Ledger } from './ledger.js';
import { emailAddress, type PersonName, personName } from './people.js';
import { householdProduct } from './products.js';

/**
 * What kind of cell a scenario plays in: a household on supply, one with gas for certain, one that came a few weeks
 * ago, one that has left a few weeks ago (the last two with gas, so that there is a reading to dispute), a business, a
 * household of the Texan brand, or the platform itself, where nobody lives.
 */
export type Setting = 'household' | 'dual-fuel' | 'newcomer' | 'dormant' | 'business' | 'texas' | 'platform';

/**
 * One household or business with everything that it can ever touch: the unit of truth and of determinism. Its first state is a
 * function of (seed, cell); after that only the functions in `changes/` alter it, each of which also says what the
 * platform publishes about the change.
 */
export interface Cell {
  readonly index: number;
  readonly setting: Setting;
  /** The world's seed: with the index, it names every attribute that nothing has touched yet. */
  readonly seed: number;
  /** The account that exists from the beginning; its home is `properties[0]`. */
  readonly account: Account;
  /** Every account so far, the first included. */
  readonly accounts: Account[];
  /** Homes that it lives in or can move to, all in one region. */
  readonly properties: readonly Property[];
  /** Hands out the next identifiers. */
  readonly ids: CellIds;
  /** Identifiers that belong to a place instead: its meters, its export. */
  readonly identifiers: Identifiers;
}

export interface CellIds {
  number(kind: NumberKind): string;
  integer(kind: string): number;
  uuid(kind: string): string;
}

export interface User {
  readonly id: number;
  readonly number: string;
  name: PersonName;
  email: string;
  readonly accounts: Account[];
}

export interface Account {
  readonly id: number;
  readonly number: string;
  status: AccountStatus;
  readonly ledger: Ledger;
  readonly users: User[];
  readonly agreements: Agreement[];
  readonly occupancies: Occupancy[];
}

export type AccountStatus = 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';

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
  product: string;
  from: Day;
  to: Day | undefined;
}

/** What all cells of a world have in common. */
export interface World {
  readonly seed: number;
  readonly identifiers: Identifiers;
  /** The first day of the run. */
  readonly today: Day;
}

/** The state of a cell before anything happens to it: somebody who has lived there for some time. */
export function openCell(world: World, index: number, setting: Setting = 'household'): Cell {
  const { seed, identifiers, today } = world;
  const random = randomStream(seed, index, 'cell');
  const taken = new Map<string, number>();
  const nth = (kind: string) => {
    const count = taken.get(kind) ?? 0;
    taken.set(kind, count + 1);
    return count;
  };
  const ids: CellIds = {
    number: (kind) => identifiers.number(kind, index, nth(kind)),
    integer: (kind) => identifiers.integer(kind, index, nth(`id ${kind}`)),
    uuid: (kind) => identifiers.uuid(kind, index, nth(`uuid ${kind}`)),
  };

  const hasGas = random.chance(0.78) || withGas.includes(setting);
  const properties = Array.from({ length: propertiesPerCell }, (_, place): Property => {
    const electricity = new MeterPoint(ids.integer('supply point'), 'GBR_ELECTRICITY', () =>
      identifiers.mpan(index, place),
    );
    const gas = new MeterPoint(ids.integer('supply point'), 'GBR_GAS', () => identifiers.mprn(index, place));
    const supplyPoints = (place === 0 ? hasGas : random.chance(0.78)) ? [electricity, gas] : [electricity];
    return { id: ids.integer('property'), region: identifiers.region(index), supplyPoints };
  });

  const account = newAccount(ids);
  if (setting === 'dormant') account.status = random.weighted({ DORMANT: 0.7, WITHDRAWN: 0.3 });
  account.users.push(newUser(ids, random, account));
  const home = properties[0] as Property;
  const movedIn = today - (setting === 'newcomer' ? random.integer(14, 42) : random.integer(60, 3000));
  const occupancy = newOccupancy(ids, home, movedIn);
  if (setting === 'dormant') occupancy.to = today - random.integer(10, 50);
  account.occupancies.push(occupancy);
  for (const supplyPoint of home.supplyPoints) {
    const agreement = newAgreement(ids, supplyPoint, householdProduct(random), movedIn);
    agreement.to = occupancy.to;
    account.agreements.push(agreement);
  }
  return { index, setting, seed, account, accounts: [account], properties, ids, identifiers };
}

/** A supply point that works its identifier out when somebody asks: most of a cell's homes are never lived in. */
class MeterPoint implements SupplyPoint {
  readonly id: number;
  readonly market: Market;
  readonly #identify: () => string;
  #identifier: string | undefined;

  constructor(id: number, market: Market, identify: () => string) {
    this.id = id;
    this.market = market;
    this.#identify = identify;
  }

  get identifier(): string {
    return (this.#identifier ??= this.#identify());
  }
}

const withGas: readonly Setting[] = ['dual-fuel', 'newcomer', 'dormant'];

export function newAccount(ids: CellIds): Account {
  return {
    id: ids.integer('account'),
    number: ids.number('account'),
    status: 'ACTIVE',
    ledger: { number: ids.number('ledger'), entries: [], position: 0 },
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

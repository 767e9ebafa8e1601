import { type RandomStream, randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { CellIds } from './cell-ids.js';
import { type Identifiers, propertiesPerCell, type Region } from './identifiers.js';
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
  /** Homes that it lives in or can move to, all in one region; then those that came with an account. */
  readonly properties: Property[];
  /** Hands out the next identifiers. */
  readonly ids: CellIds;
  /** Identifiers that belong to a place instead: its meters, its export. */
  readonly identifiers: Identifiers;
  /** What parts of the platform know about it beside this: read and written by `cellState` alone. */
  readonly parts: unknown[];
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
  /** The first day of supply: later than `from` for an account that is imported before it. */
  readonly suppliedFrom: Day;
  to: Day | undefined;
  /** Undefined where nothing was ever noted. */
  metadata: Map<string, string> | undefined;
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
  const hasGas = random.chance(0.78) || withGas.includes(setting);
  let gasAt = Number(hasGas);
  for (let place = 1; place < propertiesPerCell; place++) gasAt |= Number(random.chance(0.78)) << place;
  const ids = new CellIds(identifiers, index, propertiesPerCell, 2 * propertiesPerCell);
  // Lists that are pushed to have room for many: most of these never grow, and there are tens of thousands.
  const account: Writable<Account> = newAccount(ids);
  const cell = new OpenedCell(index, setting, seed, account, ids, identifiers, gasAt);

  if (setting === 'dormant') account.status = random.weighted(departed);
  account.users = [newUser(ids, random, account)];
  const movedIn = today - (setting === 'newcomer' ? random.integer(14, 42) : random.integer(60, 3000));
  const occupancy = newOccupancy(ids, cell.home, movedIn);
  if (setting === 'dormant') occupancy.to = today - random.integer(10, 50);
  account.occupancies = [occupancy];
  account.agreements = cell.home.supplyPoints.map((supplyPoint) => {
    const agreement = newAgreement(ids, supplyPoint, householdProduct(random), movedIn);
    agreement.to = occupancy.to;
    return agreement;
  });
  return cell;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A cell that makes the homes which nobody has lived in yet when somebody looks at them: mostly nobody does. */
class OpenedCell implements Cell {
  readonly index: number;
  readonly setting: Setting;
  readonly seed: number;
  readonly account: Account;
  readonly accounts: Account[];
  readonly ids: CellIds;
  readonly identifiers: Identifiers;
  readonly parts: unknown[] = [];
  /** The first of the properties. */
  readonly home: Property;
  /** A bit for each of the properties, the first one lowest. */
  readonly #gasAt: number;
  #properties: Property[] | undefined;

  constructor(
    index: number,
    setting: Setting,
    seed: number,
    account: Account,
    ids: CellIds,
    identifiers: Identifiers,
    gasAt: number,
  ) {
    this.index = index;
    this.setting = setting;
    this.seed = seed;
    this.account = account;
    this.accounts = [account];
    this.ids = ids;
    this.identifiers = identifiers;
    this.#gasAt = gasAt;
    this.home = this.#property(0);
  }

  get properties(): Property[] {
    return (this.#properties ??= Array.from({ length: propertiesPerCell }, (_, place) =>
      place === 0 ? this.home : this.#property(place),
    ));
  }

  #property(place: number): Property {
    const { index, identifiers } = this;
    const id = identifiers.integer('property', index, place);
    const electricity = new MeterPoint('GBR_ELECTRICITY', identifiers, index, place);
    const supplyPoints =
      (this.#gasAt >> place) & 1
        ? [electricity, new MeterPoint('GBR_GAS', identifiers, index, place)]
        : [electricity];
    return { id, region: identifiers.region(index), supplyPoints };
  }
}

/** A supply point that works its identifiers out when somebody asks. */
class MeterPoint implements SupplyPoint {
  readonly market: Market;
  readonly #identifiers: Identifiers;
  readonly #cell: number;
  readonly #place: number;
  #identifier: string | undefined;

  constructor(market: Market, identifiers: Identifiers, cell: number, place: number) {
    this.market = market;
    this.#identifiers = identifiers;
    this.#cell = cell;
    this.#place = place;
  }

  get id(): number {
    const nth = 2 * this.#place + (this.market === 'GBR_GAS' ? 1 : 0);
    return this.#identifiers.integer('supply point', this.#cell, nth);
  }

  get identifier(): string {
    return (this.#identifier ??=
      this.market === 'GBR_GAS'
        ? this.#identifiers.mprn(this.#cell, this.#place)
        : this.#identifiers.mpan(this.#cell, this.#place));
  }
}

/** How accounts are left by whoever has gone. */
const departed = { DORMANT: 0.7, WITHDRAWN: 0.3 } as const;

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

export function newOccupancy(
  ids: CellIds,
  property: Property,
  from: Day,
  suppliedFrom: Day = from,
): Occupancy {
  return { id: ids.integer('occupancy'), property, from, suppliedFrom, to: undefined, metadata: undefined };
}

export function newAgreement(ids: CellIds, supplyPoint: SupplyPoint, product: string, from: Day): Agreement {
  return { id: ids.integer('agreement'), supplyPoint, product, from, to: undefined };
}

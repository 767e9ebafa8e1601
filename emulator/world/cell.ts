import { type RandomStream, randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { CellIds } from './cell-ids.js';
import { type Identifiers, propertiesPerCell, type Region } from './identifiers.js';
import { emailAddress, type PersonName, personName } from './customer/people.js';
import { householdProduct } from './products/product-codes.js';

/**
 * Kind of a cell: a household on supply, one that certainly has gas, one that joined a few weeks ago, one that left a
 * few weeks ago (the last two with gas, for disputed readings), a business, a household in Texas, or the platform
 * itself, which has no customers.
 */
export type CellKind = 'household' | 'dual-fuel' | 'newcomer' | 'dormant' | 'business' | 'texas' | 'platform';

/**
 * One simulated household or business with all of its data. Its initial state is a function of seed and index. Only the
 * functions in `changes/` change it; each returns the events that the platform publishes about the change.
 */
export interface Cell {
  readonly index: number;
  readonly setting: CellKind;
  /** Seed of the world. */
  readonly seed: number;
  /** The initial account; its home is `properties[0]`. */
  readonly account: Account;
  /** All accounts, including the initial one. */
  readonly accounts: Account[];
  /** Current and possible homes, all in one region, then imported homes. */
  readonly properties: Property[];
  /** Allocates new identifiers. */
  readonly ids: CellIds;
  /** Identifiers of the world, for meters and exports. */
  readonly identifiers: Identifiers;
  /** State of parts of the platform. Only `cellState` reads and writes it. */
  readonly parts: unknown[];
}

/** A person with access to accounts. */
export interface User {
  readonly id: number;
  readonly number: string;
  name: PersonName;
  email: string;
  readonly accounts: Account[];
}

/** A customer account. */
export interface Account {
  readonly id: number;
  readonly number: string;
  status: AccountStatus;
  readonly ledger: Ledger;
  readonly users: User[];
  readonly agreements: Agreement[];
  readonly occupancies: Occupancy[];
}

type AccountStatus = 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';

/** A home or a business site. */
export interface Property {
  readonly id: number;
  readonly region: Region;
  readonly supplyPoints: readonly SupplyPoint[];
}

/** A meter point of one market. */
export interface SupplyPoint {
  readonly id: number;
  readonly market: Market;
  /** MPAN or MPRN. */
  readonly identifier: string;
  /** Number of its property in the cell. Imported supply points follow, each with a number of its own. */
  readonly place: number;
}

export type Market = 'GBR_ELECTRICITY' | 'GBR_GAS';

/** Charges and payments of an account. */
export interface Ledger {
  readonly number: string;
  readonly entries: LedgerEntry[];
  /** Overdue debt in pence, as the platform last published it. */
  position: number;
}

/** A posted entry of a ledger. */
export interface LedgerEntry {
  readonly id: number;
  readonly kind: EntryKind;
  /** Pence, never negative. */
  readonly amount: number;
  readonly sourceType: string;
  /** The entry that this one reverses. */
  readonly reverses: LedgerEntry | undefined;
  isReversed: boolean;
  /** The supply whose energy is charged; undefined for other entries. */
  readonly energy: Supply | undefined;
}

export type EntryKind = 'charge' | 'credit' | 'payment' | 'repayment';

/** From midnight at the start of `from` to midnight at the start of `to`. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** Time of a supply point on supply. */
export interface Supply extends Period {
  readonly supplyPoint: SupplyPoint;
}

/** Time of an account in a property, from its first day to the day it left (exclusive). */
export interface Occupancy {
  readonly id: number;
  readonly property: Property;
  readonly from: Day;
  /** The first day of supply: later than `from` for an account that is imported before it. */
  readonly suppliedFrom: Day;
  to: Day | undefined;
}

/** An agreement on a product for a supply point. `to` is exclusive; undefined for an open agreement. */
export interface Agreement {
  readonly id: number;
  readonly supplyPoint: SupplyPoint;
  product: string;
  from: Day;
  to: Day | undefined;
}

/** Settings shared by all cells of a world. */
export interface World {
  readonly seed: number;
  readonly identifiers: Identifiers;
  /** The first day of the run. */
  readonly today: Day;
}

/** Creates a cell in its initial state. */
export function openCell(world: World, index: number, setting: CellKind = 'household'): Cell {
  const { seed, identifiers, today } = world;
  const random = randomStream(seed, index, 'cell');
  const hasGas = random.chance(0.78) || withGas.includes(setting);
  let gasAt = Number(hasGas);
  for (let place = 1; place < propertiesPerCell; place++) gasAt |= Number(random.chance(0.78)) << place;
  const ids = new CellIds(identifiers, index, propertiesPerCell, 2 * propertiesPerCell);
  // Lists written as literals reserve no room for growth, which saves memory: there are tens of thousands of cells.
  const account: Writable<Account> = newAccount(ids);
  const cell = new OpenedCell(index, setting, seed, account, ids, identifiers, gasAt);

  if (setting === 'dormant') account.status = random.weighted({ DORMANT: 0.7, WITHDRAWN: 0.3 });
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

/** A cell that creates its other homes on first use: most cells never use them. */
class OpenedCell implements Cell {
  readonly index: number;
  readonly setting: CellKind;
  readonly seed: number;
  readonly account: Account;
  readonly accounts: Account[];
  readonly ids: CellIds;
  readonly identifiers: Identifiers;
  readonly parts: unknown[] = [];
  readonly home: Property;
  /** One bit per property, the first one lowest. */
  readonly #gasAt: number;
  #properties: Property[] | undefined;

  constructor(
    index: number,
    setting: CellKind,
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

/** A supply point that computes its identifiers on first use. */
class MeterPoint implements SupplyPoint {
  readonly market: Market;
  readonly place: number;
  readonly #identifiers: Identifiers;
  readonly #cell: number;
  #identifier: string | undefined;

  constructor(market: Market, identifiers: Identifiers, cell: number, place: number) {
    this.market = market;
    this.#identifiers = identifiers;
    this.#cell = cell;
    this.place = place;
  }

  get id(): number {
    const nth = 2 * this.place + (this.market === 'GBR_GAS' ? 1 : 0);
    return this.#identifiers.integer('supply point', this.#cell, nth);
  }

  get identifier(): string {
    return (this.#identifier ??=
      this.market === 'GBR_GAS'
        ? this.#identifiers.mprn(this.#cell, this.place)
        : this.#identifiers.mpan(this.#cell, this.place));
  }
}

const withGas: readonly CellKind[] = ['dual-fuel', 'newcomer', 'dormant'];

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

/** Creates a user who is linked to the account. The caller adds the user to the account. */
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
  return { id: ids.integer('occupancy'), property, from, suppliedFrom, to: undefined };
}

export function newAgreement(ids: CellIds, supplyPoint: SupplyPoint, product: string, from: Day): Agreement {
  return { id: ids.integer('agreement'), supplyPoint, product, from, to: undefined };
}

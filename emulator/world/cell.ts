import { BusbarError } from 'busbar/base';
import { hash32, type RandomStream, randomStream } from '../engine/random.js';
import { london } from '../engine/calendar.js';
import type { Day, Instant } from '../engine/time.js';
import { CellIds } from './cell-ids.js';
import { type Identifiers, identifiers, propertiesPerCell, type Region } from './identifiers.js';
import type { WorldSize } from './integer-ids.js';
import { exportLines } from './industry/electricity-words.js';
import { emailAddress, type PersonName, personName } from './customer/people.js';
import type { CellKind, Mix, PlayedKind } from './mix.js';
import { brandOf, type Choice, pastChoices, productFor } from './products/choices.js';
import { type Fuels, Traits } from './traits.js';

export type { CellKind };

/**
 * One simulated household or business with all of its data. Its initial state is a function of seed and index. Only
 * functions of this folder change it; each returns the events that the platform publishes about the change.
 */
export interface Cell {
  readonly index: number;
  readonly setting: PlayedKind;
  /** Seed of the world. */
  readonly seed: number;
  /** Facts about the household from before the run. */
  readonly traits: Traits;
  /** The initial account; its home is `properties[0]`. */
  readonly account: Account;
  /** All accounts, including the initial one. */
  readonly accounts: Account[];
  /** Current and possible homes, all in one region, then imported homes. */
  readonly properties: Property[];
  /** Allocates new identifiers. */
  readonly ids: CellIds;
  /** The present, and its day in London. */
  readonly now: Instant;
  readonly today: Day;
  /** Supply point of the energy that the initial home feeds back since before the run. */
  readonly exportPoint: SupplyPoint | undefined;
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
  /** Whether it is for energy that the home feeds back. Default false. */
  readonly isExport?: boolean;
}

export type Market = 'GBR_ELECTRICITY' | 'GBR_GAS';

/** Charges and payments of an account. Those from before the run are computed when they are first read. */
export class Ledger {
  readonly number: string;
  /** Returns what is from before the run. */
  past: (() => Ledger) | undefined;
  readonly #entries: LedgerEntry[] = [];
  #position = 0;

  constructor(number: string) {
    this.number = number;
  }

  get entries(): LedgerEntry[] {
    this.#recall();
    return this.#entries;
  }

  /** Overdue debt in pence, as the platform last published it. */
  get position(): number {
    this.#recall();
    return this.#position;
  }

  set position(pence: number) {
    this.#position = pence;
  }

  /** Adds an entry after all others, which need not be computed for it. */
  add(entry: LedgerEntry): void {
    this.#entries.push(entry);
  }

  #recall(): void {
    const past = this.past?.();
    if (past === undefined) return;
    this.past = undefined;
    this.#entries.unshift(...past.entries);
    this.#position = past.position;
  }
}

/** A posted entry of a ledger. */
export interface LedgerEntry {
  readonly id: number;
  readonly kind: EntryKind;
  /** Pence, never negative. */
  readonly amount: number;
  /** The day on which it was posted. */
  readonly on: Day;
  readonly sourceType: string;
  /** Id of the payment. */
  readonly sourceId: number | undefined;
  /** The entry that this one reverses. */
  readonly reverses: LedgerEntry | undefined;
  isReversed: boolean;
  /** The energy that is charged; undefined for other entries. */
  readonly energy: ChargedSupply | undefined;
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

/** Time of a supply point on supply, with the products that were agreed when it was charged. */
export interface ChargedSupply extends Supply {
  /** Whether it is a forecast, for which nothing is switched off. Default false. */
  readonly isExpected?: boolean;
  readonly agreed: readonly (Period & { readonly product: string })[];
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
  /** The product before its correction on a day. What was charged before that day keeps it. */
  corrected?: { readonly product: string; readonly on: Day };
  from: Day;
  to: Day | undefined;
}

/** Settings shared by all cells of a world. */
export interface World {
  readonly seed: number;
  readonly identifiers: Identifiers;
  /** The day on which cells are opened: the first of the run. */
  readonly today: Day;
  /** Cells 1 to this number are a population, in which a scenario follows up each fixed term. Default: 0. */
  readonly population?: number;
  /** Default {@link defaultMix}. */
  readonly mix?: Mix | undefined;
}

export function worldOf(size: WorldSize): World {
  const known = identifiers(size);
  return { seed: size.seed, identifiers: known, today: known.today };
}

/** Creates a cell in its initial state. */
export function openCell(world: World, index: number, setting: CellKind = 'household'): Cell {
  const { seed, identifiers, today } = world;
  if (index >= identifiers.width) {
    const message = `The world has no room for cell ${index}. Start the run with a larger "room".`;
    throw new BusbarError('capacity-exceeded', message);
  }
  const random = randomStream(seed, index, 'cell');
  const traits = new Traits(world, index, setting);
  const ids = new CellIds(identifiers, index, today);
  const movedIn = traits.joinedDay;
  // Lists written as literals reserve no room for growth, which saves memory: there are tens of thousands of cells.
  const account = newAccount(ids, movedIn);
  const cell = new OpenedCell(world, { index, traits, account, ids });

  account.users = cell.setting === 'occupier' ? [] : [newUser(ids, random, account, movedIn)];
  if (traits.secondCustomer) account.users.push(newUser(ids, random, account, movedIn));
  if (cell.setting === 'withdrawn') {
    account.status = 'WITHDRAWN';
    return cell;
  }
  const homes = traits.homes === 1 ? [cell.home] : cell.properties.slice(0, traits.homes);
  account.occupancies = homes.map((home) => newOccupancy(ids, home, movedIn, movedIn, movedIn));
  const [occupancy] = account.occupancies;
  if (cell.setting === 'dormant' && occupancy !== undefined) {
    account.status = 'DORMANT';
    occupancy.to = today - random.integer(65, 105);
  }
  const lasting = index <= (world.population ?? 0) ? today : today + 365;
  const supplied = { homes, to: occupancy?.to ?? Infinity, lasting };
  account.past = () => pastAgreements(cell, supplied, today);
  return cell;
}

/** Returns the agreements from before the run, in the order in which they were made. */
function pastAgreements(
  { ids, index, seed, traits, exportPoint }: OpenedCell,
  supplied: { readonly homes: readonly Property[]; readonly to: Day; readonly lasting: Day },
  today: Day,
): Agreement[] {
  const brand = brandOf(traits);
  const choices: (Choice & { readonly isExport?: true })[] = pastChoices(
    { seed, index, traits },
    traits.joinedDay,
    Math.min(today, supplied.to),
    supplied.lasting,
  );
  if (exportPoint !== undefined) {
    const { since } = exportPoint;
    const line = randomStream(seed, index, 'export product').weighted(exportLines);
    choices.push({ line, from: since, to: undefined, on: since, isExport: true });
    choices.sort((one, other) => one.on - other.on);
  }
  const agreements: Agreement[] = [];
  for (const { line, from, to = Infinity, on, isExport } of choices) {
    if (from >= supplied.to) continue;
    const agree = (supplyPoint: SupplyPoint) => {
      const product = productFor(brand, line, supplyPoint.market, on);
      const agreement = newAgreement(ids, supplyPoint, product, from, on);
      const ends = Math.min(to, supplied.to);
      if (ends < Infinity) agreement.to = ends;
      agreements.push(agreement);
    };
    if (isExport && exportPoint !== undefined) agree(exportPoint);
    else for (const home of supplied.homes) home.supplyPoints.forEach(agree);
  }
  return agreements;
}

/** A cell that creates its other homes on first use: most cells never use them. */
class OpenedCell implements Cell {
  readonly index: number;
  readonly traits: Traits;
  readonly seed: number;
  readonly account: Account;
  readonly accounts: Account[];
  readonly ids: CellIds;
  readonly identifiers: Identifiers;
  readonly parts: unknown[] = [];
  readonly home: Property;
  readonly #world: World;
  #exportPoint: MeterPoint | undefined;
  #properties: Property[] | undefined;

  constructor(
    world: World,
    { index, traits, account, ids }: Pick<Cell, 'index' | 'traits' | 'account' | 'ids'>,
  ) {
    const { seed, identifiers } = world;
    this.index = index;
    this.traits = traits;
    this.seed = seed;
    this.account = account;
    this.accounts = [account];
    this.ids = ids;
    this.identifiers = identifiers;
    this.#world = world;
    this.home = this.#property(0);
  }

  turn(at: Instant): void {
    this.ids.turn(at);
  }

  get now(): Instant {
    return this.ids.now;
  }

  get today(): Day {
    return london.dayAt(this.ids.now);
  }

  get setting(): PlayedKind {
    return this.traits.setting;
  }

  get exportPoint(): MeterPoint | undefined {
    if (!this.traits.export) return undefined;
    return (this.#exportPoint ??= new MeterPoint('GBR_ELECTRICITY', this, 0, this.#exportSince(), true));
  }

  /** Returns a day at least eight days after the first of supply. */
  #exportSince(): Day {
    const first = this.traits.joinedDay + 8;
    return first + (hash32(this.seed, this.index, 'export since') % (this.#world.today - first));
  }

  get properties(): Property[] {
    return (this.#properties ??= Array.from({ length: propertiesPerCell }, (_, place) =>
      place === 0 ? this.home : this.#property(place),
    ));
  }

  /** Returns the day since which the platform has known a home. */
  #knownSince(place: number): Day {
    const { homes, joinedDay } = this.traits;
    if (place < homes) return joinedDay;
    return this.#world.today - 1 - (hash32(this.seed, this.index, 'property', place) % oldestProperty);
  }

  #hasGas(place: number): boolean {
    return hash32(this.seed, this.index, 'gas at', place) % 100 < 80;
  }

  #property(place: number): Property {
    const { index, identifiers, ids } = this;
    const since = this.#knownSince(place);
    const id = identifiers.integer('property', index, ids.labelOn(dayOfRow(since, 2 * place)));
    const fuels = place === 0 ? this.traits.fuels : this.#hasGas(place) ? 'both' : 'electricity';
    const supplyPoints = marketsOf[fuels].map((market) => new MeterPoint(market, this, place, since));
    return { id, region: identifiers.region(index), supplyPoints };
  }
}

const marketsOf: Readonly<Record<Fuels, readonly Market[]>> = {
  both: ['GBR_ELECTRICITY', 'GBR_GAS'],
  electricity: ['GBR_ELECTRICITY'],
  gas: ['GBR_GAS'],
};

/** Days. */
const oldestProperty = 3_600;

/** A supply point that computes its identifiers on first use. */
class MeterPoint implements SupplyPoint {
  readonly market: Market;
  readonly place: number;
  readonly isExport: boolean;
  readonly since: Day;
  readonly #cell: Cell;
  #identifier: string | undefined;

  /** @param since See {@link dayOfRow}. */
  constructor(market: Market, cell: Cell, place: number, since: Day, isExport = false) {
    this.market = market;
    this.place = place;
    this.#cell = cell;
    this.since = since;
    this.isExport = isExport;
  }

  get id(): number {
    const { index, identifiers, ids } = this.#cell;
    const nth = 2 * this.place + (this.market === 'GBR_GAS' ? 1 : 0);
    return identifiers.integer('supply point', index, ids.labelOn(dayOfRow(this.since, nth)));
  }

  get identifier(): string {
    const { identifiers, index } = this.#cell;
    const kind = this.isExport ? 'exportMpan' : this.market === 'GBR_GAS' ? 'mprn' : 'mpan';
    return (this.#identifier ??= identifiers[kind](index, this.place));
  }
}

/** Returns the day on which the nth supply point was made: up to a week before `since`. No other of the cell has it. */
function dayOfRow(since: Day, nth: number): Day {
  return since - ((since - nth) & 7);
}

/** Returns the day on which an account from before the run was opened, or undefined for a later account. */
export function openedOn(cell: Cell, account: Account): Day | undefined {
  return account === cell.account ? cell.traits.joinedDay : undefined;
}

/** @param madeOn See {@link CellIds.integer}, here and below. */
export function newAccount(ids: CellIds, madeOn?: Day): OpenedAccount {
  return new OpenedAccount(ids, madeOn);
}

/** An account that creates its agreements from before the run on first use. */
class OpenedAccount implements Account {
  readonly id: number;
  readonly number: string;
  status: AccountStatus = 'ACTIVE';
  readonly ledger: Ledger;
  users: User[] = [];
  occupancies: Occupancy[] = [];
  /** Returns the agreements from before the run. */
  past: (() => Agreement[]) | undefined;
  #agreements: Agreement[] | undefined;

  constructor(ids: CellIds, madeOn: Day | undefined) {
    this.id = ids.integer('account', madeOn);
    this.number = ids.number('account');
    this.ledger = new Ledger(ids.number('ledger'));
  }

  get agreements(): Agreement[] {
    if (this.#agreements === undefined) {
      this.#agreements = this.past?.() ?? [];
      this.past = undefined;
    }
    return this.#agreements;
  }
}

/** Creates a user who is linked to the account. The caller adds the user to the account. */
export function newUser(ids: CellIds, random: RandomStream, account: Account, madeOn?: Day): User {
  const number = ids.number('user');
  const name = personName(random, account.users[0]?.name);
  return {
    id: ids.integer('user', madeOn),
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
  madeOn?: Day,
): Occupancy {
  return { id: ids.integer('occupancy', madeOn), property, from, suppliedFrom, to: undefined };
}

export function newAgreement(
  ids: CellIds,
  supplyPoint: SupplyPoint,
  product: string,
  from: Day,
  madeOn?: Day,
): Agreement {
  return { id: ids.integer('agreement', madeOn), supplyPoint, product, from, to: undefined };
}

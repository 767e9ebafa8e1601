import { scramble } from '../engine/permutation.js';
import { hash32 } from '../engine/random.js';
import { type Day, dayOf, yearOf } from '../engine/time.js';
import { type CellKind, defaultMix, type Mix, type PlayedKind } from './mix.js';

/** Part of a world that decides its traits. */
export interface TraitsWorld {
  readonly seed: number;
  /** The first day of the run. */
  readonly today: Day;
  /** Default {@link defaultMix}. */
  readonly mix?: Mix | undefined;
}

export type Tenure = keyof Mix['tenure'];
export type Fuels = keyof Mix['fuels']['house'] | 'gas';
export type PaymentMethod = 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | 'PREPAYMENT';
/** Kind of product that a customer likes. Customers who cannot have another kind like `variable`. */
export type Taste = keyof Mix['taste']['plain'];

/**
 * Facts about the household or business in a cell, before the run. Each is a function of the seed, the cell and its kind
 * alone: the order in which they are read changes none.
 */
export class Traits {
  readonly setting: PlayedKind;
  readonly #mix: Mix;
  readonly #today: Day;
  readonly #even: number;
  readonly #odd: number;
  // The facts on which many others depend, each computed once.
  #tenure: Tenure | undefined;
  #flat: boolean | undefined;
  #fuels: Fuels | undefined;
  #car: boolean | undefined;
  #payment: PaymentMethod | undefined;
  #joinedDay: Day | undefined;

  constructor({ seed, today, mix = defaultMix }: TraitsWorld, cell: number, setting: CellKind = 'household') {
    this.setting = setting === 'closed' ? closedKind(seed, cell) : setting;
    this.#mix = mix;
    this.#today = today;
    this.#even = hash32(seed, cell, 'traits') | 0;
    this.#odd = hash32(seed, cell, 'more traits') | 0;
  }

  /** Returns a number below 65,536, uniform and independent of those of other names. */
  field(name: Field): number {
    const nth = fields[name];
    return scramble(nth % 2 === 0 ? this.#even : this.#odd, Math.imul(nth + 1, 0x9e37_79b1)) >>> 16;
  }

  get business(): boolean {
    return this.setting === 'business';
  }

  get tenure(): Tenure {
    return (this.#tenure ??= this.#pick(this.#mix.tenure, 'tenure'));
  }

  get flat(): boolean {
    return (this.#flat ??= !this.business && !this.charged && this.#has(this.#mix.flat[this.tenure], 'flat'));
  }

  /** Number of people in the household. */
  get persons(): number {
    const persons = Number(this.#pick(this.#mix.persons[this.#dwelling], 'persons'));
    return this.setting === 'shared' ? Math.max(2, persons) : persons;
  }

  get fuels(): Fuels {
    return (this.#fuels ??= this.#computeFuels());
  }

  /** Whether the household has an electric car. */
  get car(): boolean {
    return (this.#car ??=
      this.charged || (!this.business && this.#has(this.#mix.car[this.tenure][this.#dwelling], 'car')));
  }

  /** Number of registers of the electricity meter. The second counts at night, in profile class 2. */
  get registers(): 1 | 2 {
    if (this.business || this.car || this.fuels === 'gas' || this.#hasTerm) return 1;
    return this.#has(this.#mix.twoRegisters[this.fuels], 'registers') ? 2 : 1;
  }

  get smartElectricity(): boolean {
    return (
      this.charged ||
      this.setting === 'smart' ||
      this.#has(this.#mix.smartElectricity[this.car ? 'car' : 'plain'], 'smart electricity')
    );
  }

  get smartGas(): boolean {
    return this.#has(this.#mix.smartGas[this.smartElectricity ? 'smart' : 'plain'], 'smart gas');
  }

  get prepaid(): boolean {
    return this.payment === 'PREPAYMENT';
  }

  get payment(): PaymentMethod {
    return (this.#payment ??= this.#computePayment());
  }

  get taste(): Taste {
    if (this.#hasTerm) return 'fixed';
    if (!this.#isCustomer || this.prepaid || this.registers === 2) return 'variable';
    const kind = !this.smartElectricity ? 'plain' : this.car ? 'car' : 'smart';
    return this.#pick(this.#mix.taste[kind], 'taste');
  }

  /** Whether the household has a car that we charge. */
  get charged(): boolean {
    return this.setting === 'driver';
  }

  /** Whether the home feeds energy back, which we buy. */
  get export(): boolean {
    if (!this.#isCustomer || this.flat || this.fuels === 'gas') return false;
    return this.#has(this.#mix.export[this.car ? 'car' : this.tenure], 'export');
  }

  /** Whether the account is with the second brand. */
  get secondBrand(): boolean {
    return !this.business && this.#has(this.#mix.secondBrand, 'brand');
  }

  get secondCustomer(): boolean {
    if (this.setting === 'shared') return true;
    return this.#isCustomer && this.persons > 1 && this.#has(this.#mix.secondCustomer, 'second customer');
  }

  /** Number of homes on the account. */
  get homes(): number {
    return this.setting === 'landlord' ? Number(this.#pick(this.#mix.homes, 'homes')) : 1;
  }

  /** The first day of supply. */
  get joinedDay(): Day {
    return (this.#joinedDay ??= this.#computeJoinedDay());
  }

  #computeJoinedDay(): Day {
    const field = this.field('joined');
    if (this.setting === 'newcomer') return this.#today - 14 - ((field * 29) >>> 16);
    const joined =
      this.#today -
      (this.#hasTerm ? 400 : youngest) -
      exponential(field, 365_000 / this.#mix.leaving[this.tenure]);
    // Older accounts came to the platform in its first year, after a week in which rows of homes were made.
    const opened = dayOf(yearOf(this.#today) - 10, 1, 9);
    return joined >= opened ? joined : opened + ((this.field('migrated') * 357) >>> 16);
  }

  #computeFuels(): Fuels {
    if (this.setting === 'gas-only') return 'gas';
    return withGas.includes(this.setting) ? 'both' : this.#pick(this.#mix.fuels[this.#dwelling], 'fuels');
  }

  #computePayment(): PaymentMethod {
    const { tenure } = this;
    const canPrepay = this.#isCustomer && !this.car && !withBills.includes(this.setting);
    if (canPrepay && this.#has(this.#mix.prepaid[tenure][this.#dwelling], 'prepaid')) return 'PREPAYMENT';
    const pays = this.#isCustomer && this.#has(this.#mix.directDebit[tenure], 'payment');
    return pays || this.business ? 'DIRECT_DEBIT' : 'NON_DIRECT_DEBIT';
  }

  get #dwelling(): 'house' | 'flat' {
    return this.flat ? 'flat' : 'house';
  }

  get #hasTerm(): boolean {
    return this.setting === 'fixed-term';
  }

  /** Whether the account belongs to a living person. */
  get #isCustomer(): boolean {
    return !this.business && hasCustomer(this.setting);
  }

  #has(perMille: number, name: Field): boolean {
    return this.field(name) * 1000 < perMille * 0x1_0000;
  }

  #pick<Key extends string>(perMille: Readonly<Record<Key, number>>, name: Field): Key {
    let left = this.field(name) * 1000;
    let key = '' as Key;
    for (key in perMille) {
      left -= perMille[key] * 0x1_0000;
      if (left < 0) break;
    }
    return key;
  }
}

/** Returns the kind of a closed cell, in the proportions of a population. */
function closedKind(seed: number, cell: number): PlayedKind {
  const { dormant, withdrawn } = defaultMix.kinds;
  return hash32(seed, cell, 'closed') % (dormant + withdrawn) < dormant ? 'dormant' : 'withdrawn';
}

/** Whether the account has a living customer: not an unknown occupier, nor executors who pay the bills. */
export function hasCustomer(setting: PlayedKind): boolean {
  return setting !== 'occupier' && setting !== 'executors';
}

/** Kinds of cells that are billed, and so not prepaid. */
const withBills: readonly CellKind[] = ['fixed-term', 'billed', 'debtor'];

/** Kinds of cells that certainly have gas. */
const withGas: readonly CellKind[] = ['dual-fuel', 'newcomer', 'dormant'];

/** Minimum age of an account, in days. Newcomers are younger. */
const youngest = 60;

/** Numbers of the fields. */
const fields = {
  tenure: 0,
  flat: 1,
  persons: 2,
  fuels: 3,
  car: 4,
  registers: 5,
  'smart electricity': 6,
  'smart gas': 7,
  prepaid: 8,
  payment: 9,
  taste: 10,
  export: 11,
  brand: 12,
  'second customer': 13,
  homes: 14,
  joined: 15,
  migrated: 16,
  electricity: 17,
  gas: 18,
  night: 19,
  exported: 20,
} as const;

type Field = keyof typeof fields;

/** Returns the quantile of an exponential distribution, linear between knots. @param field Below 65,536. */
export function exponential(field: number, mean: number): number {
  const [knot, rest] = [field >>> 10, field & 1023];
  const low = quantiles[knot] as number;
  const perMille = low + ((((quantiles[knot + 1] as number) - low) * rest) >>> 10);
  return Math.floor((perMille * mean) / 1000);
}

/** Quantiles of the exponential distribution: -1000 ln(1 - n / 64), rounded. The last one ends the tail. */
const quantiles = [
  0, 16, 32, 48, 65, 81, 98, 116, 134, 152, 170, 189, 208, 227, 247, 267, 288, 309, 330, 352, 375, 398, 421,
  445, 470, 495, 521, 548, 575, 604, 633, 662, 693, 725, 758, 792, 827, 863, 901, 940, 981, 1023, 1068, 1114,
  1163, 1214, 1269, 1326, 1386, 1451, 1520, 1594, 1674, 1761, 1856, 1962, 2079, 2213, 2367, 2549, 2773, 3060,
  3466, 4159, 6159,
];

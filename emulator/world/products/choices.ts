import { names } from '../../engine/random.js';
import type { Day } from '../../engine/time.js';
import { exponential, hasCustomer, type Traits } from '../traits.js';
import { type LineCode, lines } from './lines.js';
import { type Brand, brands, findProduct, firstLaunch, productOf } from './products.js';
import { addMonths } from './rates.js';

/** A choice of a customer, for both fuels. */
export interface Choice {
  readonly line: LineCode;
  readonly from: Day;
  /** The day after its last; undefined for a choice without a term. */
  readonly to: Day | undefined;
  /** Day of the decision. */
  readonly on: Day;
}

type Customer = Pick<
  Traits,
  'business' | 'prepaid' | 'registers' | 'taste' | 'fuels' | 'secondBrand' | 'setting'
>;

/** Returns the line of a customer without a fixed term. */
function openLine({ business, prepaid, taste, fuels }: Customer): LineCode {
  if (business) return 'BUS-FLEX';
  if (prepaid) return 'PREPAY-VAR';
  if (taste === 'tracker') return 'SILVER';
  if (fuels === 'gas') return 'VAR';
  return taste === 'half-hourly' ? 'AGILE' : taste === 'ev' ? 'GO-VAR' : 'VAR';
}

/** Whether a customer on a variable product takes a fixed term now and then. */
export function takesTerms(traits: Customer): boolean {
  const { setting, registers } = traits;
  return hasCustomer(setting) && registers === 1 && openLine(traits) === 'VAR' && traits.taste !== 'ev';
}

/** Returns a line with a fixed term. @param chance Uniform, below 256. */
export function termLine(chance: number): LineCode {
  return chance < 154 ? 'FIX-12M' : 'FIX-24M';
}

/** Returns the line on which a customer joins. */
export function firstLine(traits: Customer, chance: number): LineCode {
  return takesTerms(traits) && traits.taste === 'fixed' ? termLine(chance) : openLine(traits);
}

/** Returns the line after one whose term ends: 30 % become variable, 55 % repeat it, 15 % take the other term. */
export function nextLine(line: LineCode, chance: number): LineCode {
  if (chance < 77) return 'VAR';
  return chance < 218 ? line : line === 'FIX-12M' ? 'FIX-24M' : 'FIX-12M';
}

/** Returns the code of the product of a line that a customer gets: of the variable line, for gas without a tariff of its own. */
export function productFor(brand: Brand, line: LineCode, market: string, on: Day): string {
  const served = market === 'GBR_GAS' && lines[line].gas !== true ? 'VAR' : line;
  return productOf(served, brand, on).code;
}

export function brandOf({ secondBrand }: Pick<Traits, 'secondBrand'>): Brand {
  return secondBrand ? brands[1] : brands[0];
}

export function brandOfProduct(code: string): Brand {
  return findProduct(code)?.brand ?? brands[0];
}

/** Returns the newest product of the same line and brand. */
export function successorOf(code: string, on: Day): string {
  const product = findProduct(code);
  return product === undefined ? code : productOf(product.lineCode, product.brand, on).code;
}

/** Returns the end of an agreement on the product from that day, or undefined if it has no fixed term. */
export function endOfTerm(code: string, from: Day): Day | undefined {
  const term = findProduct(code)?.line.term;
  return term === undefined ? undefined : addMonths(from, term);
}

/** Days from the decision about the product after a fixed term to its end, without up to seven more. */
export const minNotice = 42;

/** Mean number of days until a variable customer takes a term: 2.5 % a month do. */
const meanWait = 1_217;
/** Customers who are older have one choice from before. */
const years = 4 * 365;

/**
 * Returns the choices of a household until `today`, without gaps. Each decision is a hash.
 *
 * @param lasting The last choice is one that lasts until this day, because nothing follows up its term in the run.
 */
export function pastChoices(
  { seed, index, traits }: { readonly seed: number; readonly index: number; readonly traits: Customer },
  from: Day,
  today: Day,
  lasting: Day,
): Choice[] {
  const decisions = names(seed, index, 'agreement');
  const hashOf = (nth: number) => decisions.hash32(nth);
  if (traits.setting === 'fixed-term') return untilTerm(from, today + 49 + (hashOf(0) & 7));
  const canTakeTerm = takesTerms(traits);
  const isOld = from < today - years;
  const choices: Choice[] = [];
  let line = isOld ? openLine(traits) : firstLine(traits, hashOf(0) & 255);
  let begins = from;
  let decided = from;
  const launch = firstLaunch(line) ?? from;
  if (launch > from) {
    const taken = launch + exponential(hashOf(0) >>> 16, meanWait / 4);
    if (taken < today) {
      choices.push({ line, from, to: taken, on: from });
      begins = decided = taken;
    }
  }
  for (let nth = 1; ; nth++) {
    const hash = hashOf(nth);
    const { term } = lines[line];
    let to: Day | undefined;
    if (term !== undefined) to = addMonths(begins, term);
    else if (canTakeTerm) {
      // Old customers who like terms took one soon.
      const isSoon = isOld && nth === 1 && traits.taste === 'fixed';
      to = Math.max(begins + 30, today - years) + exponential(hash >>> 16, isSoon ? meanWait / 4 : meanWait);
    }
    const on = (to ?? today) - (term === undefined ? 1 : minNotice) - ((hash >>> 8) & 7);
    if (to === undefined || on >= today) {
      const isOpen = to === undefined || term === undefined || to < lasting;
      choices.push(
        isOpen
          ? { line: openLine(traits), from: begins, to: undefined, on: decided }
          : { line, from: begins, to, on: decided },
      );
      return choices;
    }
    choices.push({ line, from: begins, to, on: decided });
    line = term === undefined ? termLine(hash & 255) : nextLine(line, hash & 255);
    begins = to;
    decided = Math.max(on, decided);
  }
}

/** Returns a variable choice, then a year's term that ends on about that day. */
function untilTerm(from: Day, ends: Day): Choice[] {
  const begins = addMonths(ends, -12);
  return [
    { line: 'VAR', from, to: begins, on: from },
    { line: 'FIX-12M', from: begins, to: addMonths(begins, 12), on: begins - 7 },
  ];
}

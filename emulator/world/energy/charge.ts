import type { Day } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import type { Cell, ChargedSupply, Period, SupplyPoint } from '../cell.js';
import { profileClassOf } from './profile-classes.js';
import { findProduct, type Product } from '../products/products.js';
import { type DayRates, isMarket, ratePeriod, ratesOn, type Tariff, vatOf } from '../products/rates.js';
import { carPerYear, energyOfYear, perMille, uses, usedUntil } from './energy.js';

/** A part of the charged period with constant rates. A product by the half-hour has one for each day. */
export interface ChargeLine extends Period {
  readonly product: string;
  readonly rates: DayRates;
  /** Energy in Wh. */
  readonly used: number;
  /** The part of it at the rate by night; 0 if the night has no rate. */
  readonly byNight: number;
  /** Percent. */
  readonly vat: number;
}

/**
 * Returns the pence with VAT that a supply costs by the products that were agreed. They are rounded once, for all lines
 * together. @param lines Receives the lines.
 */
export function chargeOf(cell: Cell, supply: ChargedSupply, lines?: ChargeLine[]): number {
  const { supplyPoint } = supply;
  const use = uses.of(cell, supplyPoint);
  const { nightShare } = use;
  const before = supply.isExpected ? use.expected : (date: Day) => usedUntil(use, date);
  let sum = 0;
  for (const { product, ...agreed } of supply.agreed) {
    const prices = pricesOf(cell, supplyPoint, product);
    if (prices === undefined) continue;
    let { from } = agreed;
    const { vat } = prices;
    for (let usedBefore = before(from); from < agreed.to; ) {
      const { rates, until } = prices.on(from);
      const { unit, night = unit, standing } = rates;
      const to = Math.min(agreed.to, until);
      const usedAfter = before(to);
      const used = usedAfter - usedBefore;
      let byNight = 0;
      if (rates.night !== undefined) {
        // A meter with one register on a product for cars is read by the half-hour.
        byNight =
          nightShare === undefined
            ? Math.floor((used * shareAtNight(cell, supplyPoint)) / 1000)
            : perMille(usedAfter, nightShare) - perMille(usedBefore, nightShare);
      }
      const energy = (used - byNight) * unit + byNight * night;
      sum += (energy + (to - from) * standing * 1000) * (100 + vat);
      lines?.push({ from, to, product, rates, used, byNight, vat });
      from = to;
      usedBefore = usedAfter;
    }
  }
  return Math.floor((sum + 5_000_000) / 10_000_000);
}

/** Returns the energy from 00:30 to 05:30, per mille: that of the car, and 12 % of the rest. */
function shareAtNight(cell: Cell, supplyPoint: SupplyPoint): number {
  const car = cell.traits.car && supplyPoint.place === 0 ? carPerYear : 0;
  const yearly = energyOfYear(cell, supplyPoint);
  return Math.floor((car * 1000 + (yearly - car) * 120) / yearly);
}

/** The prices of a tariff, which its households share. */
interface Prices {
  readonly vat: number;
  /** Returns the rates of a day, and the day after the last one with the same. */
  readonly on: (date: Day) => { readonly rates: DayRates; readonly until: Day };
}

/** Returns prices of which each is computed once. */
function pricesBy(product: Product, ratesFrom: (date: Day) => DayRates): Prices {
  const rows = new Map<number, ReturnType<Prices['on']>>();
  return {
    vat: vatOf(product),
    on(date) {
      const { nth, until } = ratePeriod(product, date);
      let row = rows.get(nth);
      if (row === undefined) rows.set(nth, (row = { rates: ratesFrom(date), until }));
      return row;
    },
  };
}

/** The product that a supply point was charged for last, which mostly is that of the next charge, and its prices. */
const lastPrices = ownedState<SupplyPoint, { product: string; prices: Prices | undefined }>(() => ({
  product: '',
  prices: undefined,
}));

function pricesOf(cell: Cell, supplyPoint: SupplyPoint, code: string): Prices | undefined {
  const last = lastPrices.of(cell, supplyPoint);
  if (last.product !== code) {
    const product = findProduct(code);
    last.product = code;
    last.prices = product && sharedPrices(cell, supplyPoint, product);
  }
  return last.prices;
}

function sharedPrices(cell: Cell, supplyPoint: SupplyPoint, product: Product): Prices {
  const { seed, traits } = cell;
  const { is, twoRegisters } = product.line;
  const isGas = supplyPoint.market === 'GBR_GAS';
  const tariff: Tariff = {
    product,
    fuel: isGas ? 'gas' : 'electricity',
    region: cell.identifiers.region(cell.index).letter,
    registers: !isGas && profileClassOf(cell, supplyPoint) === 2 && twoRegisters ? 2 : 1,
  };
  const own = traits.payment === 'PREPAYMENT' ? 'DIRECT_DEBIT' : traits.payment;
  const method = is?.includes('prepay') ? 'PREPAYMENT' : own;
  const followsMarket = isMarket(product);
  // What follows the market depends on the line alone.
  const kind = followsMarket ? product.lineCode : `${product.code} ${tariff.registers} ${method}`;
  const key = `${kind} ${tariff.fuel} ${tariff.region}`;
  if (marketPrices.seed !== seed) marketPrices = { seed, known: new Map() };
  const known = followsMarket ? marketPrices.known : listedPrices;
  let prices = known.get(key);
  if (prices === undefined) {
    prices = pricesBy(product, (date) => ratesOn(seed, tariff, method, date));
    known.set(key, prices);
  }
  return prices;
}

/** Prices that all worlds share, and those that follow the market of the world in use. */
const listedPrices = new Map<string, Prices>();
let marketPrices = { seed: 0, known: new Map<string, Prices>() };

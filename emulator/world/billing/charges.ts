import type { Day } from '../../engine/time.js';
import type { Account, Cell, ChargedSupply, LedgerEntry, Period, SupplyPoint } from '../cell.js';
import { chargeOf } from '../energy/charge.js';
import { findProduct } from '../products/products.js';

/** Returns the account's supplies in the period, each cut to the period. */
export function supplyDuring(
  { agreements }: Pick<Account, 'agreements'>,
  { from, to }: Period,
): ChargedSupply[] {
  const supplies: {
    supplyPoint: SupplyPoint;
    from: Day;
    to: Day;
    agreed: ChargedSupply['agreed'][number][];
  }[] = [];
  for (const agreement of agreements) {
    const { supplyPoint, corrected } = agreement;
    const { product } = corrected !== undefined && to <= corrected.on ? corrected : agreement;
    const begins = Math.max(from, agreement.from);
    const ends = Math.min(to, agreement.to ?? to);
    if (begins >= ends || supplyPoint.isExport) continue;
    const agreed = { product, from: begins, to: ends };
    const known = supplies.find((supply) => supply.supplyPoint === supplyPoint);
    if (known === undefined) supplies.push({ supplyPoint, from: begins, to: ends, agreed: [agreed] });
    else {
      // Consecutive products are charged together.
      known.from = Math.min(begins, known.from);
      known.to = Math.max(ends, known.to);
      known.agreed.push(agreed);
    }
  }
  return supplies;
}

/** Returns the sum of the entries in pence. */
export function totalOf(charges: readonly Pick<LedgerEntry, 'amount'>[]): number {
  return charges.reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns the supplies of an account in `days` from a day on, if nothing changes after that day. */
export function supplyFrom(account: Pick<Account, 'agreements'>, from: Day, days: number): ChargedSupply[] {
  return supplyDuring(account, { from, to: from + 1 }).map(({ supplyPoint, agreed }) => {
    const [{ product } = { product: '' }] = agreed;
    const period = { from, to: from + days };
    return { ...period, supplyPoint, isExpected: true, agreed: [{ ...period, product }] };
  });
}

export function costOf(cell: Cell, supplies: readonly ChargedSupply[]): number {
  return supplies.reduce((sum, supply) => sum + chargeOf(cell, supply), 0);
}

/** Returns what the supply of an account costs in `days` from a day on, if nothing changes after that day. */
export function costFrom(cell: Cell, account: Account, from: Day, days: number): number {
  return costOf(cell, supplyFrom(account, from, days));
}

/** Whether a supply costs more than nothing: each product that exists has a standing charge of some pence a day. */
export function isPriced({ agreed }: ChargedSupply): boolean {
  return agreed.some(({ product }) => findProduct(product) !== undefined);
}

import type { Day } from '../engine/time.js';
import type { Account, Cell, Market, Property, SupplyPoint } from './cell.js';

/** A present or former supply of an account. */
export interface Supply {
  readonly account: Account;
  readonly property: Property;
  readonly supplyPoint: SupplyPoint;
  /** The first day of supply. */
  readonly from: Day;
  /** The day after the last; undefined for a present supply. */
  readonly to: Day | undefined;
}

/** Returns the present supplies of the cell's active accounts, in one market or in all. */
export function presentSupplies(cell: Cell, market?: Market): Supply[] {
  const active = cell.accounts.filter(({ status }) => status === 'ACTIVE');
  return active.flatMap((account) => suppliesOf(account, market)).filter(({ to }) => to === undefined);
}

/** Returns the former supplies of the cell's accounts, in one market or in all. */
export function formerSupplies(cell: Cell, market?: Market): Supply[] {
  return cell.accounts
    .flatMap((account) => suppliesOf(account, market))
    .filter(({ from, to }) => to !== undefined && to > from);
}

function suppliesOf(account: Account, market: Market | undefined): Supply[] {
  return account.occupancies.flatMap(({ property, suppliedFrom: from, to }) =>
    property.supplyPoints
      .filter((supplyPoint) => market === undefined || supplyPoint.market === market)
      .map((supplyPoint) => ({ account, property, supplyPoint, from, to })),
  );
}

import type { BenchWorld } from 'busbar-emulator/testing';
import type { Database } from './database.ts';

/** The last day of an account's supply point. */
export interface SupplyEnd {
  readonly account: string;
  readonly supplyPoint: string;
  /** Date, e.g. `2026-03-30`. */
  readonly endsOn: string;
}

/** Returns the ends of supply that the service has stored. */
export async function supplyEndsIn(database: Database): Promise<SupplyEnd[]> {
  const rows = await database.query(
    `SELECT account, supply_point AS "supplyPoint", ends_on::text AS "endsOn" FROM supply_ends
     WHERE process NOT IN (SELECT process FROM reversals)`,
  );
  return inOrder(rows as SupplyEnd[]);
}

/** Returns the ends of supply in the ground truth, which contract tests compare with the service. */
export function supplyEndsOf(world: Pick<BenchWorld, 'accounts'>): SupplyEnd[] {
  const ends = world.accounts().flatMap(({ number: account, occupancies }) =>
    occupancies.flatMap(({ property, from, to = from }) =>
      // An occupancy that ends on its first day was undone.
      to > from
        ? property.supplyPoints.map(({ identifier }) => ({
            account,
            supplyPoint: identifier,
            endsOn: dayOf(to),
          }))
        : [],
    ),
  );
  return inOrder(ends);
}

function inOrder(ends: readonly SupplyEnd[]): SupplyEnd[] {
  const key = ({ account, supplyPoint }: SupplyEnd) => `${account} ${supplyPoint}`;
  return ends.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Formats a day, counted from 1970. */
function dayOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

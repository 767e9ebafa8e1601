import type { BenchWorld } from 'busbar/testing';
import type { Database } from './database.ts';

/** Until when a supply point was an account's. */
export interface SupplyEnd {
  readonly account: string;
  readonly supplyPoint: string;
  /** `2026-03-30` */
  readonly endsOn: string;
}

/** As the service has it. */
export async function supplyEndsIn(database: Database): Promise<SupplyEnd[]> {
  const rows = await database.query(
    'SELECT account, supply_point AS "supplyPoint", ends_on::text AS "endsOn" FROM supply_ends',
  );
  return inOrder(rows as SupplyEnd[]);
}

/** As the platform has it: what contract tests hold the service against. */
export function supplyEndsOf(world: Pick<BenchWorld, 'accounts'>): SupplyEnd[] {
  const ends = world.accounts().flatMap(({ number: account, agreements }) =>
    agreements.flatMap(({ supplyPoint, from, to = from }) =>
      // One that ends on its first day was revoked: it never came to be.
      to > from ? [{ account, supplyPoint: supplyPoint.identifier, endsOn: dayOf(to) }] : [],
    ),
  );
  return inOrder(ends);
}

function inOrder(ends: readonly SupplyEnd[]): SupplyEnd[] {
  const key = ({ account, supplyPoint }: SupplyEnd) => `${account} ${supplyPoint}`;
  return ends.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Days are counted from 1970 on. */
function dayOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

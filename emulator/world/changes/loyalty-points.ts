import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import { occurrence } from '../occurrence.js';
import type { JoinProcess } from './join-supplier.js';

/** Publishes that the account qualifies for loyalty points. */
export function qualifyForLoyaltyPoints(join: JoinProcess, today: Day): Occurrence {
  const all = enrolled(join, false);
  return occurrence(
    'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point',
    join.account.number,
    {
      v2: {
        join_supplier_process_id: join.id,
        join_supplier_process_number: join.number,
        account_number: join.account.number,
        supply_points_past_ssd: join.startsOn <= today ? all : [],
        all_supply_points: all,
      },
    },
  );
}

/** Publishes that the account no longer qualifies for loyalty points. */
export function reverseLoyaltyQualification(join: JoinProcess): Occurrence {
  const all = enrolled(join, true);
  return occurrence('lifecycle.enrollment.loyalty-points-qualification-reversed', join.account.number, {
    v1: {
      join_supplier_process_number: join.number,
      account_number: join.account.number,
      supply_points_no_longer_coming_on_supply: all,
      all_supply_points: all,
    },
  });
}

function enrolled(join: JoinProcess, wasCancelled: boolean) {
  return join.property.supplyPoints.map(({ identifier, market }) => ({
    market_name: market,
    external_identifier: identifier,
    confirmed_ssd: formatDay(join.startsOn),
    was_cancelled: wasCancelled,
  }));
}

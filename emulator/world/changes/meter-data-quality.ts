import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell, SupplyPoint } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type issueSources, type ReadingIssue, readingIssues, readingTypes } from '../vocabulary/disputes.js';

/** An issue with the readings of a supply point. Key of its events: account number. */
interface DataQualityIssue {
  readonly account: Account;
  readonly facts: Readonly<ReturnType<typeof describe>>;
}

/** Opens an issue about the readings of a period. */
export function openIssue(
  cell: Cell,
  account: Account,
  issue: {
    readonly supplyPoint: SupplyPoint;
    readonly from: Day;
    readonly to: Day;
    readonly at: Instant;
    readonly random: RandomStream;
  },
): { issue: DataQualityIssue; requested: Occurrence } {
  const facts = describe(cell, issue);
  const requested = occurrence('meter_data_quality.resolution_requested', account.number, {
    v1: { ...facts, issue_status: 'OPEN' },
  });
  return { issue: { account, facts }, requested };
}

/** Cancels the issue. */
export function cancelIssue(
  { account, facts }: DataQualityIssue,
  source: keyof typeof issueSources,
): Occurrence {
  const v1 = { ...facts, issue_status: 'CANCELLED' };
  return occurrence('meter_data_quality.resolution_cancelled', account.number, { v1, v2: { ...v1, source } });
}

function describe(cell: Cell, { supplyPoint, from, to, at, random }: Parameters<typeof openIssue>[2]) {
  const category = random.weighted({ CONSUMPTION: 0.6, READS: 0.3, METER_DETAILS: 0.1 } satisfies Record<
    ReadingIssue,
    number
  >);
  const subcategories: readonly string[] = readingIssues[category];
  const isGas = supplyPoint.market === 'GBR_GAS';
  return {
    issue_id: cell.ids.integer('data quality issue'),
    issue_category: category,
    issue_subcategory: random.pick(subcategories),
    market_supply_point_id: supplyPoint.identifier,
    opened_at: formatInstant(at),
    period_start: formatDay(from),
    period_end: formatDay(to),
    reading_type: random.weighted(readingTypes),
    utility: isGas ? 'GAS' : 'ELECTRICITY',
  };
}

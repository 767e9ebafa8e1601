import { randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { cellState } from '../cell-state.js';
import { occurrence } from '../occurrence.js';
import { weightedKey } from '../vocabulary/rows.js';
import { texasUtilities, type TexasUtility } from '../vocabulary/texas.js';

type MarketStatus = 'PENDING' | 'ACTIVE' | 'INACTIVE';

/** Returns the market status of the account at its meter point, or undefined before its first change. */
export function marketStatusOf(cell: Cell): MarketStatus | undefined {
  return statuses.of(cell).get('status');
}

/** Changes the market status of the account at its meter point. Key: account number. */
export function changeMarketStatus(
  cell: Cell,
  account: Account,
  change: { readonly status: MarketStatus; readonly effective: Instant; readonly at: Instant },
): Occurrence {
  statuses.of(cell).set('status', change.status);
  const { esiId, utility, serial } = meterPointOf(cell);
  return occurrence('meter_point.market.status.changed', account.number, {
    v1: {
      electricity_meter_point: {
        esi_id: esiId,
        is_metered: true,
        service_provider: utility,
        updated_at: formatInstant(change.at),
        meter_serial_number: serial,
      },
      meter_point_account_status: {
        status: change.status,
        effective_at: formatInstant(change.effective),
        updated_at: formatInstant(change.at),
      },
    },
  });
}

const statuses = cellState<Map<'status', MarketStatus>>(() => new Map());

/** Returns the household's meter point, which never changes. */
function meterPointOf(cell: Cell): { esiId: string; utility: TexasUtility; serial: string } {
  const random = randomStream(cell.seed, cell.index, 'texas');
  const utility = weightedKey(random, texasUtilities);
  const { prefixes, digits } = texasUtilities[utility];
  const prefix = random.pick<string>(prefixes);
  return {
    esiId: cell.identifiers.esiId(cell.index, 0, { prefix, digits }),
    utility,
    serial: cell.identifiers.meter('electricity', cell.index, 0, 0),
  };
}

import {
  type ReadingIssue,
  issueSources,
  readingIssues,
  readingTypes,
} from '../../world/vocabulary/disputes.js';
import { electricityMeterTypes, retrievalMethods } from '../../world/vocabulary/meters.js';
import { meterAssetManagers } from '../../world/vocabulary/participants.js';
import { anyKey, weightedKey } from '../../world/vocabulary/rows.js';
import { meterPointStatuses, type TexasUtility, texasUtilities } from '../../world/vocabulary/texas.js';
import { electricitySerial } from '../facts/electricity-meter.js';
import { electricity, gas } from '../facts/household.js';
import { chargePeriod, dateWithin, earlier, justNow } from '../facts/times.js';
import type { Subject } from '../subject.js';
import type { Area } from './area.js';
import { formatDay } from '../../engine/time.js';

/** Electricity meters and registers, the quality of readings, and meter points in Texas. */
export const meters: Area = {
  fields: {
    current_rating: () => 100,
    make_and_type: () => 'LAN E470',
    meter_asset_provider_mpid: (s) =>
      s.once('meter asset provider', (random) => random.pick(meterAssetManagers)),
    retrieval_method: (s) => s.random.weighted(retrievalMethods),
    retrieval_method_effective_from: dateWithin(-400, -1),
    meter_cop: () => '',
    meter_cop_dispensation: () => '',
    communications_address: () => '',
    communications_method: () => '',
    vt_ratio: () => '',
    ct_ratio: () => '',
    installation_date: dateWithin(-2500, -30),
    date_of_removal: dateWithin(-20, 0),
    timing_device_id: () => '',
    is_tele_switch: () => false,

    // `1` counts by day, `2` by night.
    register_id: (s) => String(s.index + 1),
    register_type: () => 'C',
    measurement_quantity: () => 'AI',
    multiplier: () => '1.00',
    digits: () => 5,
    is_main: (s) => s.index === 0,
    associated_meter_serial: () => '',
    associated_register_id: () => '',

    issue_id: (s) => s.integer('reading issue'),
    issue_category: (s) => issue(s).category,
    issue_subcategory: (s) => issue(s).subcategory,
    issue_status: (s) => (s.eventType.endsWith('cancelled') ? 'CANCELLED' : 'OPEN'),
    market_supply_point_id: (s) => (utility(s) === 'GAS' ? gas(s) : electricity(s)).identifier,
    opened_at: earlier(20),
    reading_type: (s) => s.random.weighted(readingTypes),
    utility,

    esi_id: esiId,
    is_metered: (s) => s.random.chance(0.97),
    service_provider: texasUtility,
    updated_at: justNow,
    effective_at: earlier(2),
  },
  shapes: {
    Meter: {
      location: (s) => s.random.pick(['A', 'B', 'H', 'K', 'O']),
      meter_type: (s) => s.random.weighted(electricityMeterTypes),
    },
    ElectricityMeterPoint: { meter_serial_number: electricitySerial, updated_at: earlier(1) },
    MeterPointAccountStatus: { status: (s) => s.random.weighted(meterPointStatuses), updated_at: earlier(1) },
  },
  events: {
    'meter_data_quality.*': {
      source: (s) => s.random.weighted(issueSources),
      period_start: (s) => formatDay(chargePeriod(s).from),
      period_end: (s) => formatDay(chargePeriod(s).to),
    },
  },
};

function issue(subject: Subject): { category: ReadingIssue; subcategory: string } {
  return subject.once('reading issue', (random) => {
    const category = anyKey(random, readingIssues);
    return { category, subcategory: random.pick<string>(readingIssues[category]) };
  });
}

function utility(subject: Subject): 'ELECTRICITY' | 'GAS' {
  return subject.once('utility', (random) => random.weighted({ ELECTRICITY: 0.6, GAS: 0.4 }));
}

function texasUtility(subject: Subject): TexasUtility {
  return subject.once('Texas utility', (random) => weightedKey(random, texasUtilities));
}

/** The prefix of the utility, and the meter point in as many digits as are left. */
function esiId(subject: Subject): string {
  const { prefixes, digits } = texasUtilities[texasUtility(subject)];
  const prefix = subject.once('ESI prefix', (random) => random.pick<string>(prefixes));
  return prefix + String(subject.integer('ESI')).padStart(digits - prefix.length, '0');
}

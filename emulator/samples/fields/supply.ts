import { localMidnight, openEnd } from '../../world/formats.js';
import { ourself } from '../../world/vocabulary/participants.js';
import { brands } from '../../world/vocabulary/platform.js';
import { weightedRow } from '../../world/vocabulary/rows.js';
import {
  activationJourneys,
  energisationStatuses,
  exportProducts,
  exportTechnologies,
  fuels,
  type JoinSubtype,
  joinSubtypes,
  leaveSubtypes,
  netCapacities,
  paymentMethods,
  processMoves,
  quotedMarkets,
  triggerActions,
} from '../../world/vocabulary/supply.js';
import { otherSupplier } from '../facts/dispute.js';
import { electricitySerial } from '../facts/electricity-meter.js';
import { electricity, exportMpan, gas, product, region, supplyPoint } from '../facts/household.js';
import { date, dateWithin, term } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Coming on supply and leaving it, agreements, and the electricity industry. */
export const supply: Area = {
  fields: {
    market_name: (s) => supplyPoint(s).market,
    external_identifier: (s) => supplyPoint(s).identifier,
    market_identifier: (s) => supplyPoint(s).identifier,
    meter_point_identifier: (s) => (s.eventType.includes('.gas.') ? gas(s) : electricity(s)).identifier,
    mpan: (s) => electricity(s).identifier,
    import_mpan: (s) => electricity(s).identifier,
    export_mpan: exportMpan,
    supply_point_id: (s) => supplyPoint(s).id,
    passive_loss_instigated_supply_point_id: (s) => supplyPoint(s).id,
    join_supplier_process_id: (s) => s.integer('join'),
    join_supplier_process_number: (s) => s.number('join'),
    leave_supplier_process_id: (s) => s.integer('leave'),
    leave_supplier_process_number: (s) => s.number('leave'),
    process_number: (s) => s.number('join'),
    subtype: (s) => (s.eventType.includes('leave-supplier') ? leaveSubtype(s) : joinSubtype(s)),
    leave_supplier_process_subtype: leaveSubtype,
    activation_journey_type: (s) => activationJourneys[joinSubtype(s)],
    trigger_action: (s) => s.random.weighted(triggerActions),
    is_passive: (s) => leaveSubtype(s) === 'CHANGE_OF_SUPPLIER',
    fuel: (s) => s.random.weighted(fuels),
    requested_supply_start_date: (s) => date(s, startsIn(s)),
    requested_supply_end_date: (s) => date(s, endsIn(s)),
    requested_supply_end_at: (s) => localMidnight(s.today + endsIn(s)),
    confirmed_supply_start_date: (s) => date(s, -startedAgo(s)),
    confirmed_supply_end_date: (s) => date(s, -endedAgo(s)),
    supply_start_date: (s) => date(s, startsIn(s)),
    supply_end_date: (s) => date(s, -endedAgo(s)),
    supplier_mpid: (s) => (s.eventType.includes('.gas.') ? ourself.gas : ourself.electricity),
    new_supplier_id: (s) => otherSupplier(s)[s.eventType.includes('.gas.') ? 'gas' : 'electricity'],
    is_internal_transfer: (s) => s.random.chance(0.05),
    is_migrated: (s) => s.random.chance(0.05),
    is_export: (s) => s.random.chance(0.03),
    was_cancelled: isCancelled,
    confirmed_ssd: (s) => date(s, isCancelled(s) || !hasStarted(s) ? startsIn(s) : -startsIn(s)),
    agreement_id: (s) => s.integer('agreement'),
    expiring_agreement_id: (s) => s.integer('agreement', 0),
    rolled_on_to_agreement_id: (s) => s.integer('agreement', 1),
    rolled_on_to_agreement_valid_from: (s) => localMidnight(s.today),
    rolled_on_to_agreement_valid_to: (s) =>
      product(s).startsWith('FIX') ? localMidnight(s.today + 365) : openEnd,
    product_code: product,
    tariff_code: (s) => {
      const letter = region(s).letter;
      const market = s.once('market of the first supply point', (random) =>
        random.weighted({ GBR_ELECTRICITY: 1, GBR_GAS: 1 }),
      );
      return `${market === 'GBR_GAS' ? 'G-1R' : 'E-1R'}-${product(s)}-${letter}`;
    },
    tariff_payment_method: (s) => s.random.weighted(paymentMethods),
    energisation_status: (s) => s.random.weighted(energisationStatuses),
    serial_number: (s) => electricitySerial(s, s.index),
    rebill_from: dateWithin(-120, -5),
    manual_declared_net_capacity: (s) => s.once('net capacity', (random) => random.weighted(netCapacities)),
    manual_technology_type: technology,
    valid_mcs_installations: (s) => [
      {
        certificate_number: `MCS-${String(s.random.integer(0, 9_999_999)).padStart(8, '0')}-X`,
        technology_type: technology(s),
        declared_net_capacity: s.once('net capacity', (random) => random.weighted(netCapacities)),
      },
    ],
    journey_identifier: (s) => s.uuid('journey'),
  },
  shapes: {
    Product: {
      code: product,
      market_name: (s) => supplyPoint(s).market,
      brand_code: (s) => s.once('brand', (random) => random.weighted(brands)),
    },
    JoinAgreement: {
      id: (s) => s.integer('agreement', s.index),
      valid_from: (s) => localMidnight(s.today - startedAgo(s) - 365 * s.index),
      valid_to: (s) =>
        s.index === 0 ? openEnd : localMidnight(s.today - startedAgo(s) - 365 * (s.index - 1)),
    },
    SupplyPeriodData: {
      id: (s) => s.integer('supply period'),
      supply_start_at: (s) => localMidnight(s.today - startedAgo(s)),
      supply_end_at: () => openEnd,
    },
    HouseMoveSupplyPoint: {
      id: (s) => supplyPoint(s).id,
      industry: (s) => supplyPoint(s).market.slice('GBR_'.length),
      tariff_code: (s) => {
        const kind = supplyPoint(s).market === 'GBR_GAS' ? 'G-1R' : 'E-1R';
        return `${kind}-${product(s)}-${region(s).letter}`;
      },
    },
  },
  events: {
    'agreement.created': { valid_from: (s) => localMidnight(term(s, 'agreement').from) },
    'agreement.updated': {
      changes: (s) => ({ valid_to: { old: '', new: localMidnight(s.today + 30) } }),
    },
    'goods.*': {
      market_name: (s) => s.random.weighted(quotedMarkets),
    },
    'industry.electricity.change_of_energisation.unsolicited_message': { effective_from: dateWithin(-5, 0) },
    'industry.electricity.change_of_service.meter_deactivated': { effective_from: dateWithin(-5, 0) },
    'industry.electricity.export_installation.validated': {
      product_code: (s) => s.random.weighted(exportProducts),
    },
    'lifecycle.status-changed': {
      // Both kinds of process change their status; this one has a number only.
      process_number: (s) =>
        s.number(s.once('kind of process', (random) => random.pick(['join', 'leave'] as const))),
      previous_status: (s) => processMove(s).from,
      new_status: (s) => processMove(s).to,
    },
    'meterpoint.gas.api_backfill': backfilledPeriod(),
    'meterpoint.gas.backfill': backfilledPeriod(),
    'meterpoint.gas.cos_loss.confirmed': { supply_end_date: dateWithin(0, 1) },
  },
  counts: {
    supply_points: energies,
    all_supply_points: energies,
    supply_points_past_ssd: startedCount,
    supply_points_no_longer_coming_on_supply: cancelledCount,
    agreements: () => 1,
  },
};

function backfilledPeriod(): NonNullable<Area['fields']> {
  return { supply_start_date: dateWithin(-2000, -60), supply_end_date: () => openEnd };
}

/** How many energies a home takes: the lists of one payload agree about it. */
function energies(subject: Subject): number {
  return subject.once('energies', (random) => (random.chance(0.78) ? 2 : 1));
}

function startedCount(subject: Subject): number {
  return subject.once('supply points past their date', (random) => random.integer(1, energies(subject)));
}

function hasStarted(scene: Scene): boolean {
  return scene.eventType.includes('qualifies') ? scene.index < startedCount(scene) : true;
}

function cancelledCount(subject: Subject): number {
  return subject.once('cancelled supply points', (random) => random.integer(1, energies(subject)));
}

function isCancelled(scene: Scene): boolean {
  return scene.eventType.includes('reversed') && scene.index < cancelledCount(scene);
}

function joinSubtype(subject: Subject): JoinSubtype {
  const wanted = subject.pinned('subtype');
  if (typeof wanted === 'string' && Object.hasOwn(joinSubtypes, wanted)) return wanted as JoinSubtype;
  return subject.once('join subtype', (random) => random.weighted(joinSubtypes));
}

function leaveSubtype(subject: Subject): string {
  const wanted = subject.pinned('leave_supplier_process_subtype') ?? subject.pinned('subtype');
  if (typeof wanted === 'string') return wanted;
  return subject.once('leave subtype', (random) => random.weighted(leaveSubtypes));
}

/** Days until supply starts: one answer for all that starts. */
function startsIn(subject: Subject): number {
  return subject.once('days until supply starts', (random) => random.integer(5, 28));
}

/** Days since supply started, for events that confirm it. */
function startedAgo(subject: Subject): number {
  return subject.once('days since supply started', (random) => random.integer(0, 1));
}

function endsIn(subject: Subject): number {
  return subject.once('days until supply ends', (random) => random.integer(1, 21));
}

function endedAgo(subject: Subject): number {
  return subject.once('days since supply ended', (random) => random.integer(0, 2));
}

function technology(subject: Subject): string {
  return subject.once('export technology', (random) => random.weighted(exportTechnologies));
}

function processMove(subject: Subject): (typeof processMoves)[number] {
  return subject.once('process status', (random) => weightedRow(random, processMoves));
}

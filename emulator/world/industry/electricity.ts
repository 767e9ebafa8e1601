import { type RandomStream, randomStream } from '../../engine/random.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import { cellState, ownedState } from '../cell-state.js';
import type { Account, Cell, Property, SupplyPoint } from '../cell.js';
import { switchSupply } from '../energy/energy.js';
import { removeElectricityMeter } from './meters.js';
import { occurrence } from '../occurrence.js';
import { brandOf, productFor } from '../products/choices.js';
import { weightedKey } from '../weights.js';
import {
  exportLines,
  exportTechnologies,
  netCapacities,
  texasUtilities,
  type TexasUtility,
} from './electricity-words.js';

/** `E` energised, `D` de-energised. */
type EnergisationStatus = 'E' | 'D';

export function energisationOf(cell: Cell, supplyPoint: SupplyPoint): EnergisationStatus {
  return energised.of(cell, supplyPoint).status;
}

/** Publishes the network's unsolicited message that it energised or de-energised the supply point. Key: account number. */
export function changeEnergisation(
  cell: Cell,
  account: Account,
  supplyPoint: SupplyPoint,
  { status, on }: { readonly status: EnergisationStatus; readonly on: Day },
) {
  energised.of(cell, supplyPoint).status = status;
  switchSupply(cell, supplyPoint, on, status === 'D');
  return occurrence('industry.electricity.change_of_energisation.unsolicited_message', account.number, {
    v1: { mpan: supplyPoint.identifier, energisation_status: status, effective_from: formatDay(on) },
  });
}

/** Replaces the meter, and publishes the removal of the old one. Key: account number. */
export function deactivateMeter(cell: Cell, account: Account, supplyPoint: SupplyPoint) {
  const { serial } = removeElectricityMeter(cell, supplyPoint, cell.today);
  return occurrence('industry.electricity.change_of_service.meter_deactivated', account.number, {
    v1: { mpan: supplyPoint.identifier, serial_number: serial, effective_from: formatDay(cell.today) },
  });
}

const energised = ownedState<SupplyPoint, { status: EnergisationStatus }>(() => ({ status: 'E' }));

/** Returns the supply point of the energy that the home feeds back, with its own MPAN, or undefined. */
export function exportPointAt(cell: Cell, property: Property): SupplyPoint | undefined {
  return exportPoints.of(cell, property).point;
}

/** Validates an installation, so that the home can be paid for its exports. Key: account number. */
export function validateInstallation(
  cell: Cell,
  account: Account,
  property: Property,
  importPoint: SupplyPoint,
  random: RandomStream,
) {
  const supplyPoint: SupplyPoint = {
    id: cell.ids.integer('supply point'),
    market: 'GBR_ELECTRICITY',
    identifier: cell.identifiers.exportMpan(cell.index, cell.properties.indexOf(property)),
    place: importPoint.place,
    isExport: true,
  };
  const line = random.weighted(exportLines);
  const product = productFor(brandOf(cell.traits), line, importPoint.market, cell.today);
  exportPoints.of(cell, property).point = supplyPoint;
  const technology = random.weighted(exportTechnologies);
  const capacity = random.weighted(netCapacities);
  const v1 = {
    import_mpan: importPoint.identifier,
    account_number: account.number,
    product_code: product,
    manual_declared_net_capacity: capacity,
    manual_technology_type: technology,
    valid_mcs_installations: [
      {
        certificate_number: `MCS-${cell.ids.integer('certificate')}`,
        technology_type: technology,
        declared_net_capacity: capacity,
      },
    ],
    journey_identifier: cell.ids.uuid('export journey'),
  };
  const validated = occurrence('industry.electricity.export_installation.validated', account.number, {
    v1,
    v2: { ...v1, export_mpan: supplyPoint.identifier },
  });
  return { supplyPoint, product, validated };
}

const exportPoints = ownedState<Property, { point: SupplyPoint | undefined }>((cell, property) => ({
  point: property === cell.properties[0] ? cell.exportPoint : undefined,
}));

type MarketStatus = 'PENDING' | 'ACTIVE' | 'INACTIVE';

export function marketStatusOf(cell: Cell): MarketStatus | undefined {
  return market.of(cell).status;
}

/** Changes the market status of the account at its meter point. Key: account number. */
export function changeMarketStatus(
  cell: Cell,
  account: Account,
  change: { readonly status: MarketStatus; readonly effective: Instant },
) {
  market.of(cell).status = change.status;
  const { esiId, utility, serial } = meterPointOf(cell);
  return occurrence('meter_point.market.status.changed', account.number, {
    v1: {
      electricity_meter_point: {
        esi_id: esiId,
        is_metered: true,
        service_provider: utility,
        updated_at: formatInstant(cell.now),
        meter_serial_number: serial,
      },
      meter_point_account_status: {
        status: change.status,
        effective_at: formatInstant(change.effective),
        updated_at: formatInstant(cell.now),
      },
    },
  });
}

const market = cellState<{ status?: MarketStatus }>(() => ({}));

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

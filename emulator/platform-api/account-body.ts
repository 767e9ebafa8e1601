import type { platformApi } from '../../catalogue/index.js';
import { london } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { addressOf } from '../world/addresses.js';
import type { Account, Agreement, Cell, Occupancy, Property, SupplyPoint } from '../world/cell.js';
import { exportInstallationAt } from '../world/changes/export-installations.js';
import { importSupplierOf } from '../world/changes/data-import.js';
import { electricityMeter, gasMeter } from '../world/meters.js';
import { shortInstant } from './local-time.js';
import { tariffCodeOf } from './products.js';

/** The account as the REST API shows it: what never came to be, as a revoked agreement, is not in it. */
export function accountBody(cell: Cell, account: Account): platformApi.Account {
  const lived = account.occupancies.filter(({ from, to }) => to !== from);
  const agreements = account.agreements.filter(({ from, to }) => to === undefined || to > from);
  const properties = cell.properties.filter(
    (property) =>
      lived.some((occupancy) => occupancy.property === property) ||
      agreements.some(({ supplyPoint }) => pointsOf(cell, property).includes(supplyPoint)),
  );
  const supplier = importSupplierOf(cell, account);
  return {
    number: account.number,
    status: account.status,
    ...(supplier !== undefined && { import_supplier: supplier }),
    properties: properties.map((property) =>
      propertyBody(
        cell,
        property,
        lived.findLast((occupancy) => occupancy.property === property),
        agreements,
      ),
    ),
  };
}

function propertyBody(
  cell: Cell,
  property: Property,
  occupancy: Occupancy | undefined,
  agreements: readonly Agreement[],
): platformApi.Property {
  const address = addressOf(cell, property);
  const home = `${address.buildingNumber} ${address.street}`;
  const lines = [
    [address.subBuildingName, address.buildingName].filter((part) => part !== '').join(', '),
    home,
    address.locality,
  ].filter((line) => line !== '');
  const [line1 = '', line2 = '', line3 = ''] = lines;
  const points = pointsOf(cell, property);
  const agreementsAt = (point: SupplyPoint) =>
    agreements
      .filter(({ supplyPoint }) => supplyPoint === point)
      .sort((one, other) => one.from - other.from || one.id - other.id)
      .map((agreement) => agreementBody(agreement, property));
  return {
    id: property.id,
    moved_in_at: midnight(occupancy?.from),
    moved_out_at: midnight(occupancy?.to),
    address_line_1: line1,
    address_line_2: line2,
    address_line_3: line3,
    town: address.town,
    county: address.county,
    postcode: address.postcode,
    electricity_meter_points: points
      .filter(({ market }) => market === 'GBR_ELECTRICITY')
      .map((point) => ({
        ...electricityBody(cell, property, point),
        agreements: agreementsAt(point),
      })),
    gas_meter_points: points
      .filter(({ market }) => market === 'GBR_GAS')
      .map((point) => ({
        mprn: point.identifier,
        consumption_standard: consumption(cell, point, 6000, 17_000),
        meters: [{ serial_number: gasMeter(cell, point).serial }],
        agreements: agreementsAt(point),
      })),
  };
}

function electricityBody(cell: Cell, property: Property, point: SupplyPoint) {
  const isExport = !property.supplyPoints.includes(point);
  // What is fed back goes through the meter of the import.
  const register = { identifier: '1', rate: 'STANDARD', is_settlement_register: true };
  const meters = isExport
    ? []
    : [{ serial_number: electricityMeter(cell, point).serial, registers: [register] }];
  return {
    mpan: point.identifier,
    profile_class: isExport ? 8 : 1,
    consumption_standard: isExport ? 0 : consumption(cell, point, 1800, 4300),
    is_export: isExport,
    meters,
  };
}

function agreementBody({ id, supplyPoint, product, from, to }: Agreement, { region }: Property) {
  return {
    id,
    tariff_code: tariffCodeOf(
      supplyPoint.market === 'GBR_GAS' ? 'gas' : 'electricity',
      product,
      region.letter,
    ),
    valid_from: shortInstant(london.instantOf(from)),
    valid_to: midnight(to),
  };
}

/** Supply points of the home, that of its export included. */
function pointsOf(cell: Cell, property: Property): readonly SupplyPoint[] {
  const exported = exportInstallationAt(cell, property)?.supplyPoint;
  return exported === undefined ? property.supplyPoints : [...property.supplyPoints, exported];
}

/** Kilowatt-hours a year, to the hundred. */
function consumption(cell: Cell, { id }: SupplyPoint, least: number, most: number): number {
  return randomStream(cell.seed, cell.index, 'consumption', id).integer(least / 100, most / 100) * 100;
}

function midnight(date: Day | undefined): string | null {
  return date === undefined ? null : shortInstant(london.instantOf(date));
}

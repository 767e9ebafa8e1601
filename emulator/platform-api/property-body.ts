import type { platformApi } from 'busbar/catalogue';
import { london } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { addressOf, houseAndStreet } from '../world/customer/addresses.js';
import type { Agreement, Cell, Occupancy, Property, SupplyPoint } from '../world/cell.js';
import { exportInstallationAt } from '../world/industry/electricity.js';
import {
  electricityMeter,
  gasMeter,
  importedMeters,
  importedProfileClasses,
} from '../world/industry/meters.js';
import { shortInstant } from '../world/formats.js';
import { tariffCodeOf } from '../world/products/products.js';

/** Returns a home of an account, with the account's `occupancy` and its agreements for the home. */
export function propertyBody(
  cell: Cell,
  property: Property,
  occupancy: Occupancy | undefined,
  agreements: readonly Agreement[],
): platformApi.Property {
  const address = addressOf(cell, property);
  const lines = [
    [address.subBuildingName, address.buildingName].filter((part) => part !== '').join(', '),
    houseAndStreet(address),
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
        meters: [gasMeter(cell, point).serial, ...furtherMeters(point).map(({ serial }) => serial)].map(
          (serial_number) => ({ serial_number }),
        ),
        agreements: agreementsAt(point),
      })),
  };
}

function electricityBody(cell: Cell, property: Property, point: SupplyPoint) {
  const isExport = !property.supplyPoints.includes(point);
  return {
    mpan: point.identifier,
    profile_class: importedProfileClasses.get(point) ?? (isExport ? 8 : 1),
    consumption_standard: isExport ? 0 : consumption(cell, point, 1800, 4300),
    is_export: isExport,
    // Exported energy goes through the import meter.
    meters: isExport ? [] : electricityMeters(cell, point),
  };
}

function electricityMeters(cell: Cell, point: SupplyPoint) {
  const further = furtherMeters(point).map(({ serial, registers }) => ({
    serial,
    registers: registers.map(({ id }) => id),
  }));
  return [electricityMeter(cell, point), ...further].map(({ serial, registers }) => ({
    serial_number: serial,
    registers: registers.map((identifier, nth) => ({
      identifier,
      // Two registers count by day and by night.
      rate: registers.length === 2 ? (['DAY', 'NIGHT'][nth] as string) : 'STANDARD',
      is_settlement_register: true,
    })),
  }));
}

/** Returns the imported meters after the first, which is the one that an exchange replaces. */
function furtherMeters(point: SupplyPoint) {
  return (importedMeters.get(point) ?? []).slice(1);
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

/** Returns the supply points of a home, also that for export. */
export function pointsOf(cell: Cell, property: Property): readonly SupplyPoint[] {
  const exported = exportInstallationAt(cell, property)?.supplyPoint;
  return exported === undefined ? property.supplyPoints : [...property.supplyPoints, exported];
}

/** Returns a multiple of 100 kilowatt-hours a year. */
function consumption(cell: Cell, { id }: SupplyPoint, min: number, max: number): number {
  return randomStream(cell.seed, cell.index, 'consumption', id).integer(min / 100, max / 100) * 100;
}

function midnight(date: Day | undefined): string | null {
  return date === undefined ? null : shortInstant(london.instantOf(date));
}

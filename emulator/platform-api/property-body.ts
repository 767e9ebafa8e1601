import type { platformApi } from '../../catalogue/index.js';
import { london } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import type { Day } from '../engine/time.js';
import { addressOf, houseAndStreet } from '../world/addresses.js';
import type { Agreement, Cell, Occupancy, Property, SupplyPoint } from '../world/cell.js';
import { exportInstallationAt } from '../world/changes/export-installations.js';
import { type GivenMeter, givenMeters, givenProfileClass } from '../world/given-meters.js';
import { electricityMeter, gasMeter } from '../world/meters.js';
import { shortInstant } from './local-time.js';
import { tariffCodeOf } from './products.js';

/** A home of an account, which lives there if there is an `occupancy`, with those of its agreements that are about it. */
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
    profile_class: givenProfileClass(point) ?? (isExport ? 8 : 1),
    consumption_standard: isExport ? 0 : consumption(cell, point, 1800, 4300),
    is_export: isExport,
    // What is fed back goes through the meter of the import.
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
      // One by day and one by night, where there are two.
      rate: registers.length === 2 ? (['DAY', 'NIGHT'][nth] as string) : 'STANDARD',
      is_settlement_register: true,
    })),
  }));
}

/** Meters that came with the supply point, but for the first, which is the one that is exchanged. */
function furtherMeters(point: SupplyPoint): readonly GivenMeter[] {
  return givenMeters(point).slice(1);
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
export function pointsOf(cell: Cell, property: Property): readonly SupplyPoint[] {
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

import type { platformApi } from 'busbar/catalogue';
import { london } from '../engine/calendar.js';
import type { Day } from '../engine/time.js';
import { addressOf, houseAndStreet } from '../world/customer/addresses.js';
import type { Agreement, Cell, Occupancy, Property, SupplyPoint } from '../world/cell.js';
import { energyOfYear } from '../world/energy/energy.js';
import { exportPointAt } from '../world/industry/electricity.js';
import { electricityMeter, gasMeter, importedMeters } from '../world/industry/meters.js';
import { profileClassOf } from '../world/energy/profile-classes.js';
import { shortInstant } from '../world/formats.js';
import { tariffCodeOf } from '../world/products/rates.js';

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
      .map((agreement) => agreementBody(cell, agreement, property));
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
        ...electricityBody(cell, point),
        agreements: agreementsAt(point),
      })),
    gas_meter_points: points
      .filter(({ market }) => market === 'GBR_GAS')
      .map((point) => ({
        mprn: point.identifier,
        consumption_standard: consumption(cell, point),
        meters: [gasMeter(cell, point).serial, ...furtherMeters(point).map(({ serial }) => serial)].map(
          (serial_number) => ({ serial_number }),
        ),
        agreements: agreementsAt(point),
      })),
  };
}

function electricityBody(cell: Cell, point: SupplyPoint) {
  const { isExport = false } = point;
  return {
    mpan: point.identifier,
    profile_class: isExport ? 8 : profileClassOf(cell, point),
    consumption_standard: isExport ? 0 : consumption(cell, point),
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

function agreementBody(
  cell: Cell,
  { id, supplyPoint, product, from, to }: Agreement,
  { region, supplyPoints }: Property,
) {
  // Exported energy has one register, and so have imported supply points, whose tariff codes are kept.
  const isOwn =
    supplyPoint.market === 'GBR_ELECTRICITY' &&
    supplyPoints.includes(supplyPoint) &&
    !importedMeters.has(supplyPoint);
  return {
    id,
    tariff_code: tariffCodeOf({
      product,
      fuel: supplyPoint.market === 'GBR_GAS' ? 'gas' : 'electricity',
      region: region.letter,
      registers: isOwn && profileClassOf(cell, supplyPoint) === 2 ? 2 : 1,
    }),
    valid_from: shortInstant(london.instantOf(from)),
    valid_to: midnight(to),
  };
}

/** Returns the supply points of a home, also that for export. */
export function pointsOf(cell: Cell, property: Property): readonly SupplyPoint[] {
  const exported = exportPointAt(cell, property);
  return exported === undefined ? property.supplyPoints : [...property.supplyPoints, exported];
}

/** Returns the kilowatt-hours of an average year. */
function consumption(cell: Cell, point: SupplyPoint): number {
  return Math.round(energyOfYear(cell, point) / 1000);
}

function midnight(date: Day | undefined): string | null {
  return date === undefined ? null : shortInstant(london.instantOf(date));
}

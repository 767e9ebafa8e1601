import type { Problem } from '../api-error.js';
import { readTariffCode } from '../products.js';
import { isMpan } from './formats.js';
import { below, problem } from './payload.js';
import { problemsOfReferences } from './references.js';

/**
 * Meter points that are another account's already: a supply point belongs to one of them, and so does its id.
 * @param isTaken Whether an account other than that with the external number has that MPAN or MPRN.
 */
export function problemsOfHolders(
  payload: { readonly external_account_number?: unknown },
  isTaken: (meterPoint: string, externalNumber: unknown) => boolean,
): Problem[] {
  const found: Problem[] = [];
  for (const [address, at] of listed(payload, 'supply_addresses')) {
    for (const [{ identifier }, place] of listed(address, 'meter_points', at)) {
      if (typeof identifier !== 'string' || !isTaken(identifier, payload.external_account_number)) continue;
      const detail = "Is another account's.";
      found.push(own(place, 'identifier', 'meter_point_already_imported', detail));
    }
  }
  return found;
}

/** What is wrong between the fields of an account. What has problems of its own, or is not there, is passed over. */
export function problemsBetweenFields(payload: unknown, today: string): Problem[] {
  const found: Problem[] = [];
  const identifiers = new Set<string>();
  for (const [customer, at] of listed(payload, 'customers')) {
    const { date_of_birth: born } = customer;
    if (typeof born === 'string' && /^\d{4}-\d\d-\d\d$/.test(born) && born > today) {
      found.push(own(at, 'date_of_birth', 'date_in_future', 'Lies in the future.'));
    }
  }
  for (const [address, at] of listed(payload, 'supply_addresses')) {
    let region: string | undefined;
    for (const [point, place] of listed(address, 'meter_points', at)) {
      const { identifier, supply_type, shipper_mpid } = point;
      if (typeof identifier === 'string') {
        if (identifiers.has(identifier)) {
          const detail = 'Occurs twice.';
          found.push(own(place, 'identifier', 'duplicate_meter_points_provided', detail));
        } else if (
          isElectricity(supply_type) !== undefined &&
          isElectricity(supply_type) !== isMpan(identifier)
        ) {
          const detail = 'Must be an MPAN for electricity, an MPRN for gas.';
          found.push(own(place, 'identifier', 'invalid_supply_point_identifier', detail));
        }
        identifiers.add(identifier);
      }
      if (supply_type === 'GAS' && shipper_mpid === undefined) {
        found.push(problem(below(place, 'shipper_mpid'), 'required'));
      }
      for (const [{ tariff_code }, agreement] of listed(point, 'agreements', place)) {
        const tariff = typeof tariff_code === 'string' ? readTariffCode(tariff_code) : undefined;
        if (tariff !== undefined && (tariff.fuel === 'gas') === isElectricity(supply_type)) {
          const detail = 'Must be a tariff for what is supplied.';
          found.push(own(agreement, 'tariff_code', 'tariff_code_not_found', detail));
        }
        region ??= tariff?.region;
        if (tariff !== undefined && tariff.region !== region) {
          const detail = 'Must be of the region of the other tariffs at that address.';
          found.push(own(agreement, 'tariff_code', 'tariff_code_not_found', detail));
        }
      }
    }
  }
  const keys = new Set<unknown>(['external_account_number']);
  for (const [{ key }, at] of listed(payload, 'metadata')) {
    if (keys.has(key)) found.push(own(at, 'key', 'duplicate_metadata_key', 'Is noted already.'));
    keys.add(key);
  }
  if (isObject(payload)) found.push(...problemsOfReferences(payload.notes, 'notes'));
  return found;
}

type Members = Readonly<Record<string, unknown>>;

/** The objects in a list that may not be one, each with its path. */
function listed(value: unknown, member: string, at = ''): [Members, string][] {
  const list: unknown = isObject(value) ? value[member] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown, index): [Members, string][] =>
    isObject(each) ? [[each, below(at, member, index)]] : [],
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isElectricity(supplyType: unknown): boolean | undefined {
  return supplyType === 'ELECTRICITY' || (supplyType === 'GAS' ? false : undefined);
}

function own(at: string, member: string, code: string, detail: string): Problem {
  return { detail, code, attr: below(at, member) };
}

import type { Problem } from '../api-error.js';
import { findTariff } from '../../world/products/rates.js';
import { isMpan } from './formats.js';
import { below, problem } from './payload.js';
import { problemsOfReferences } from './references.js';

/**
 * Returns the problems of meter points that already belong to another account.
 * @param isTaken Whether an account other than that with the external number has the MPAN or MPRN.
 */
export function problemsOfHolders(
  payload: { readonly external_account_number?: unknown },
  isTaken: (meterPoint: string, externalNumber: unknown) => boolean,
): Problem[] {
  const found: Problem[] = [];
  for (const [address, at] of listed(payload, 'supply_addresses')) {
    for (const [{ identifier }, path] of listed(address, 'meter_points', at)) {
      if (typeof identifier !== 'string' || !isTaken(identifier, payload.external_account_number)) continue;
      const detail = 'Belongs to another account.';
      found.push(problemAt(path, 'identifier', 'meter_point_already_imported', detail));
    }
  }
  return found;
}

/** Returns the problems between fields of an account. Skips missing and invalid fields. */
export function problemsBetweenFields(payload: unknown, today: string): Problem[] {
  const found: Problem[] = [];
  const identifiers = new Set<string>();
  for (const [customer, at] of listed(payload, 'customers')) {
    const { date_of_birth: born } = customer;
    if (typeof born === 'string' && /^\d{4}-\d\d-\d\d$/.test(born) && born > today) {
      found.push(problemAt(at, 'date_of_birth', 'date_in_future', 'Is in the future.'));
    }
  }
  for (const [address, at] of listed(payload, 'supply_addresses')) {
    let region: string | undefined;
    for (const [point, path] of listed(address, 'meter_points', at)) {
      const { identifier, supply_type, shipper_mpid } = point;
      if (typeof identifier === 'string') {
        if (identifiers.has(identifier)) {
          const detail = 'Occurs twice.';
          found.push(problemAt(path, 'identifier', 'duplicate_meter_points_provided', detail));
        } else if (
          isElectricity(supply_type) !== undefined &&
          isElectricity(supply_type) !== isMpan(identifier)
        ) {
          const detail = 'Must be an MPAN for electricity, an MPRN for gas.';
          found.push(problemAt(path, 'identifier', 'invalid_supply_point_identifier', detail));
        }
        identifiers.add(identifier);
      }
      if (supply_type === 'GAS' && shipper_mpid === undefined) {
        found.push(problem(below(path, 'shipper_mpid'), 'required'));
      }
      for (const [{ tariff_code }, agreement] of listed(point, 'agreements', path)) {
        const tariff = typeof tariff_code === 'string' ? findTariff(tariff_code) : undefined;
        if (tariff !== undefined && (tariff.fuel === 'gas') === isElectricity(supply_type)) {
          const detail = 'Must be a tariff for the supplied fuel.';
          found.push(problemAt(agreement, 'tariff_code', 'tariff_code_not_found', detail));
        }
        region ??= tariff?.region;
        if (tariff !== undefined && tariff.region !== region) {
          const detail = 'Must have the region of the other tariffs at the address.';
          found.push(problemAt(agreement, 'tariff_code', 'tariff_code_not_found', detail));
        }
      }
    }
  }
  const keys = new Set<unknown>(['external_account_number']);
  for (const [{ key }, at] of listed(payload, 'metadata')) {
    if (keys.has(key)) found.push(problemAt(at, 'key', 'duplicate_metadata_key', 'Exists already.'));
    keys.add(key);
  }
  if (isObject(payload)) found.push(...problemsOfReferences(payload.notes, 'notes'));
  return found;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the objects in a value that may be a list, with their paths. */
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

function problemAt(at: string, member: string, code: string, detail: string): Problem {
  return { detail, code, attr: below(at, member) };
}

import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Occupancy } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** An account's time in a property. */
interface Residence {
  readonly account: Account;
  readonly occupancy: Occupancy;
}

/** Notes something about an account's time in a property. `key` must not be there yet. */
export function addMetadata({ account, occupancy }: Residence, key: string, value: string): Occurrence {
  (occupancy.metadata ??= new Map()).set(key, value);
  return occurrence('account_property_effective_period_metadata.created', account.number, {
    v1: { account_property_effective_period_id: occupancy.id, key, value },
  });
}

export function updateMetadata({ account, occupancy }: Residence, key: string, value: string): Occurrence {
  const old = occupancy.metadata?.get(key) ?? '';
  occupancy.metadata?.set(key, value);
  return occurrence('account_property_effective_period_metadata.updated', account.number, {
    v1: { account_property_effective_period_id: occupancy.id, changes: { [key]: { old, new: value } } },
  });
}

export function removeMetadata({ account, occupancy }: Residence, key: string): Occurrence {
  const value = occupancy.metadata?.get(key) ?? '';
  occupancy.metadata?.delete(key);
  return occurrence('account_property_effective_period_metadata.removed', account.number, {
    v1: { account_property_effective_period_id: occupancy.id, key, value },
  });
}

import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import type { Customer } from '../customer.js';
import { occurrence } from '../occurrence.js';
import type { ReadPermission } from '../vocabulary/accounts.js';
import { staffId } from '../staff.js';

/** How common each permission is. */
const permissions = {
  NO_CONSENT: 0.05,
  MONTHLY: 0.2,
  DAILY: 0.35,
  HALF_HOURLY: 0.4,
} as const satisfies Record<ReadPermission, number>;

interface SmartMeterData {
  permission: ReadPermission;
  /** The user's consent that the permission rests on: given before the run. */
  readonly consentId: number;
}

const smartMeterData = ownedState<Account, SmartMeterData>(({ seed, ids }, { number }) => ({
  permission: randomStream(seed, number, 'smart meter data').weighted(permissions),
  consentId: ids.integer('consent'),
}));

/** Allows the platform to read more or less often from today on. Key: account number. */
export function changeReadPermission(
  cell: Cell,
  { account, user }: Customer,
  change: { readonly on: Day; readonly random: RandomStream },
): Occurrence {
  const { random } = change;
  const data = smartMeterData.of(cell, account);
  const before = data.permission;
  data.permission = random.weighted({ ...permissions, [before]: 0 });
  const byCustomer = random.chance(0.85);
  return occurrence('account.smart-meter-read-permission-changed', account.number, {
    v1: {
      account_number: account.number,
      old_permission: before,
      new_permission: data.permission,
      effective_from: formatDay(change.on),
      changed_by_id: String(byCustomer ? user.id : staffId(random)),
      changed_by_type: byCustomer ? 'ACCOUNT_USER' : 'SUPPORT_USER',
    },
  });
}

/** Signs the consent again that the permission of now rests on. Key: the user, as for every consent. */
export function updateConsent(cell: Cell, { account, user }: Customer, at: Instant): Occurrence {
  const { permission, consentId } = smartMeterData.of(cell, account);
  return occurrence('consents.consent.updated', user.number, {
    v1: {
      signing_identity: { identity_type: 'ACCOUNT_USER', identity: user.number },
      consent: {
        id: consentId,
        consent_type_code: 'SMART_METER_DATA',
        value: permission === 'NO_CONSENT' ? 'REJECTED' : 'ACCEPTED',
        signed_at: formatInstant(at),
      },
    },
  });
}

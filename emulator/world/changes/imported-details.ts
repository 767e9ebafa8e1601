import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Account, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { needs, type NeedsCode, temporaryNeeds } from '../vocabulary/vulnerability.js';

/** What an import brings along about an account and its people. */

/** The account keeps the number that it had elsewhere. */
export function noteExternalNumber(account: Account, externalNumber: string): Occurrence {
  return occurrence('account_metadata.created', account.number, {
    v1: { account_number: account.number, key: 'external_account_number', value: externalNumber },
  });
}

/** Needs that the other supplier had on its register; temporary ones do not travel. Keyed by user. */
export function bringNeeds(user: User, random: RandomStream): Occurrence {
  const lasting = (Object.keys(needs) as NeedsCode[]).filter((code) => !temporaryNeeds.includes(code));
  const weights = Object.fromEntries(lasting.map((code) => [code, needs[code].weight]));
  const code = random.weighted(weights) as NeedsCode;
  return occurrence('account_user.psr_records_updated', user.number, {
    v1: {
      user_id: user.id,
      created_records: [
        {
          description: needs[code].description,
          electricity_industry_code: code,
          gas_industry_code: code,
        },
      ],
      updated_records: [],
      deleted_records: [],
    },
  });
}

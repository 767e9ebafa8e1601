import type { Occurrence } from '../../engine/scenario.js';
import type { RandomStream } from '../../engine/random.js';
import { type Day, formatDay, formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { campaigns } from '../vocabulary/accounts.js';
import { staffId } from '../staff.js';

/** Publishes a sale by telephone. The payload lacks the account; the key has it. */
export function recordSale(account: Account, startsOn: Day, random: RandomStream): Occurrence {
  return occurrence('lifecycle.support-site.sale', account.number, {
    '1.0.0': {
      support_user_id: String(staffId(random)),
      supply_start_date: formatDay(startsOn),
      trigger_action: 'ENROLMENT',
    },
  });
}

/** Creates an affiliate's contract for one fuel of the account. */
export function creditAffiliate(
  cell: Cell,
  account: Account,
  affiliate: { readonly contract: number; readonly fuel: 'ELECTRICITY' | 'GAS' },
): Occurrence {
  return occurrence('affiliates.affiliate-account-contract-created', account.number, {
    v1: {
      affiliate_account_contract_id: cell.ids.integer('affiliate account contract'),
      affiliate_contract_id: affiliate.contract,
      account_number: account.number,
      fuel: affiliate.fuel,
    },
  });
}

/** Adds the account to the campaign through which it joined. */
export function joinWelcomeCampaign(account: Account, random: RandomStream): Occurrence {
  const { name, slug } = random.pick(campaigns);
  return occurrence('campaign_account.added', account.number, {
    v1: { account_number: account.number, campaign_name: name, campaign_slug: slug },
  });
}

/** Publishes the user's consent to the terms. Key: user number. */
export function giveConsent(cell: Cell, user: User, at: Instant): Occurrence {
  return occurrence('consents.consent.created', user.number, {
    v1: {
      signing_identity: { identity_type: 'ACCOUNT_USER', identity: user.number },
      consent: {
        id: cell.ids.integer('consent'),
        consent_type_code: 'TERMS_AND_CONDITIONS',
        value: 'ACCEPTED',
        signed_at: formatInstant(at),
      },
    },
  });
}

export function checkCredit(cell: Cell, account: Account): Occurrence {
  return occurrence('credit_check.created', account.number, {
    v1: { check_id: cell.ids.uuid('credit check'), entity_type: 'ACCOUNT', entity_id: account.number },
  });
}

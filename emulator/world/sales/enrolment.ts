import type { RandomStream } from '../../engine/random.js';
import { type Day, dayOf, formatDay, formatInstant, yearOf } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell, User } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { staffId } from '../staff.js';
import { campaigns } from './words.js';

/** Publishes a sale by telephone. The payload lacks the account; the key has it. */
export function recordSale(account: Account, startsOn: Day, random: RandomStream) {
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
) {
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
export function joinWelcomeCampaign(cell: Cell, account: Account, random: RandomStream) {
  return occurrence('campaign_account.added', account.number, {
    v1: describe(account, random.pick(campaignsOn(cell.today))),
  });
}

/** Publishes the user's consent to the terms. Key: user number. */
export function giveConsent(cell: Cell, user: User) {
  return occurrence('consents.consent.created', user.number, {
    v1: {
      signing_identity: { identity_type: 'ACCOUNT_USER', identity: user.number },
      consent: {
        id: cell.ids.integer('consent'),
        consent_type_code: 'TERMS_AND_CONDITIONS',
        value: 'ACCEPTED',
        signed_at: formatInstant(cell.now),
      },
    },
  });
}

export function checkCredit(cell: Cell, account: Account) {
  return occurrence('credit_check.created', account.number, {
    v1: { check_id: cell.ids.uuid('credit check'), entity_type: 'ACCOUNT', entity_id: account.number },
  });
}

type Campaign = ReturnType<typeof campaignsOn>[number];

function campaignsOn(date: Day) {
  return campaigns.map((each) => {
    const name = each.replace('#', String(yearOf(date)));
    return { name, slug: name.toLowerCase().replaceAll(' ', '-') };
  });
}

/** Membership of an account in a campaign. Key of its events: account number. */
interface CampaignMembership {
  readonly account: Account;
  readonly campaign: Campaign;
  /** The day after the campaign's last, 1 April for all accounts. */
  readonly campaignEnds: Day;
  /** The day after the membership's last. */
  ends: Day;
}

/** Slugs of each account's campaigns. */
const joined = ownedState<Account, Set<string>>(() => new Set());

/** Adds the account to a campaign, or returns undefined if it is in all of them. */
export function joinCampaign(cell: Cell, account: Account, random: RandomStream) {
  const { today } = cell;
  const slugs = joined.of(cell, account);
  const open = campaignsOn(today).filter(({ slug }) => !slugs.has(slug));
  if (open.length === 0) return undefined;
  const campaign = random.pick(open);
  slugs.add(campaign.slug);
  const ends = today + random.integer(30, 90);
  const campaignEnds = dayOf(yearOf(today) + 1, 4, 1);
  const added = occurrence('campaign_account.added', account.number, {
    v1: {
      ...describe(account, campaign),
      campaign_expiry_date: localMidnight(campaignEnds),
      campaign_account_expiry_date: localMidnight(ends),
    },
  });
  return { membership: { account, campaign, campaignEnds, ends }, added };
}

export function extendMembership(membership: CampaignMembership, days: number) {
  const { account, campaign, campaignEnds, ends: before } = membership;
  membership.ends = Math.min(campaignEnds, before + days);
  const change = { old: localMidnight(before), new: localMidnight(membership.ends) };
  return occurrence('campaign_account.updated', account.number, {
    v1: { ...describe(account, campaign), changes: { campaign_account_expiry_date: change } },
  });
}

export function leaveCampaign(cell: Cell, { account, campaign }: CampaignMembership) {
  joined.of(cell, account).delete(campaign.slug);
  return occurrence('campaign_account.removed', account.number, { v1: describe(account, campaign) });
}

function describe({ number }: Account, { name, slug }: Campaign) {
  return { account_number: number, campaign_name: name, campaign_slug: slug };
}

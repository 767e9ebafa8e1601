import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { type Day, dayOf, yearOf } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import type { Account, Cell } from '../cell.js';
import { localMidnight } from '../formats.js';
import { occurrence } from '../occurrence.js';
import { campaigns } from '../vocabulary/accounts.js';

type Campaign = (typeof campaigns)[number];

/** An account taking part in a campaign. Key of its events: account number. */
export interface CampaignMembership {
  readonly account: Account;
  readonly campaign: Campaign;
  /** Campaigns of a year go on until the end of next March, for every account the same. */
  readonly campaignEnds: Day;
  /** The first day on which the account takes no part any more. */
  ends: Day;
}

/** Slugs of the campaigns that each account takes part in. */
const joined = ownedState<Account, Set<string>>(() => new Set());

/** The account takes part in one of the campaigns of the day; undefined when it does in all of them. */
export function joinCampaign(
  cell: Cell,
  account: Account,
  joining: { readonly on: Day; readonly random: RandomStream },
): { membership: CampaignMembership; added: Occurrence } | undefined {
  const { on, random } = joining;
  const slugs = joined.of(cell, account);
  const open = campaigns.filter(({ slug }) => !slugs.has(slug));
  if (open.length === 0) return undefined;
  const campaign = random.pick(open);
  slugs.add(campaign.slug);
  const ends = on + random.integer(30, 90);
  const campaignEnds = dayOf(yearOf(on) + 1, 4, 1);
  const added = occurrence('campaign_account.added', account.number, {
    v1: {
      ...describe(account, campaign),
      campaign_expiry_date: localMidnight(campaignEnds),
      campaign_account_expiry_date: localMidnight(ends),
    },
  });
  return { membership: { account, campaign, campaignEnds, ends }, added };
}

/** The account takes part for longer. */
export function extendMembership(membership: CampaignMembership, days: number): Occurrence {
  const { account, campaign, campaignEnds, ends: before } = membership;
  membership.ends = Math.min(campaignEnds, before + days);
  const change = { old: localMidnight(before), new: localMidnight(membership.ends) };
  return occurrence('campaign_account.updated', account.number, {
    v1: { ...describe(account, campaign), changes: { campaign_account_expiry_date: change } },
  });
}

export function leaveCampaign(cell: Cell, { account, campaign }: CampaignMembership): Occurrence {
  joined.of(cell, account).delete(campaign.slug);
  return occurrence('campaign_account.removed', account.number, { v1: describe(account, campaign) });
}

function describe({ number }: Account, { name, slug }: Campaign) {
  return { account_number: number, campaign_name: name, campaign_slug: slug };
}

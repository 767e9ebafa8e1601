import type { Recipe } from '../recipe.js';

export const invariant: Recipe = {
  title: 'Add an invariant',
  files: {
    'emulator/invariants/campaigns.ts': `
import type { Invariant, StreamEvent } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

export const campaignInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'campaign-left-after-joined',
    statement: 'An account is removed only from a campaign that it takes part in.',
    entity: 'account and campaign',
    of: accountAndCampaign,
    begins: {},
    moves: {
      'campaign_account.added': { from: ['outside'], to: 'inside' },
      'campaign_account.removed': { from: ['inside'], to: 'outside' },
    },
  }),
];

function accountAndCampaign(event: StreamEvent): string | undefined {
  const [account, campaign] = [identifier(event, 'account_number'), identifier(event, 'campaign_slug')];
  return account === undefined || campaign === undefined ? undefined : \`\${account} \${campaign}\`;
}
`,
  },
  edits: [
    {
      file: 'emulator/invariants/index.ts',
      line: 'import { contactInvariants }',
      where: 'before',
      insert: "import { campaignInvariants } from './campaigns.js';",
    },
    {
      file: 'emulator/invariants/index.ts',
      line: 'Conversations: contactInvariants,',
      insert: '  Campaigns: campaignInvariants,',
    },
    {
      file: 'test/emulator/invariants/broken-contact.ts',
      line: 'export const brokenContact:',
      insert: `
  'campaign-left-after-joined: an account is removed twice': on(
    'campaigns',
    { course: 'removed' },
    again('campaign_account.removed'),
  ),`,
    },
  ],
};

import type { Recipe } from '../recipe.js';
import { listed, scenarioThatSends } from './scenario.js';

/** The event, and the scenario that sends it. */
export const event: Recipe = {
  title: 'Add an event',
  files: {
    'catalogue/events/account/account.nickname-changed-v1.json': `
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "account.nickname-changed-v1",
  "title": "AccountNicknameChangedV1",
  "description": "A customer gave an account a name.",
  "x-event-type": "account.nickname-changed",
  "x-event-version": "v1",
  "x-group": "accounts-and-users",
  "x-busbar-key": "account",
  "type": "object",
  "properties": {
    "account_number": { "type": "string", "description": "Number of the account." },
    "nickname": { "type": "string", "description": "Name that the customer chose." }
  },
  "required": ["account_number", "nickname"]
}
`,
    'emulator/world/customer/account-names.ts': `
import type { Occurrence } from '../../engine/scenario.js';
import type { Account } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** The account gets another name. Key: account number. */
export function changeNickname(account: Account, nickname: string): Occurrence {
  return occurrence('account.nickname-changed', account.number, {
    v1: { account_number: account.number, nickname },
  });
}
`,
    'emulator/scenarios/customer/renaming.ts': scenarioThatSends(
      'renaming',
      'changeNickname(customer.account, branch.name)',
      "import { changeNickname } from '../../world/customer/account-names.js';",
    ),
  },
  edits: [
    ...listed('renaming'),
    {
      file: 'test/catalogue/facts.txt',
      line: 'account.updated v1:',
      where: 'before',
      insert: 'account.nickname-changed v1: account_number*, nickname*',
    },
    {
      file: 'emulator/samples/sources.json',
      line: '"account.occupied":',
      where: 'before',
      insert: '  "account.nickname-changed": "renaming",',
    },
  ],
};

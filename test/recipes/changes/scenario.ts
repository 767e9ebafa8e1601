import type { Edit, Recipe } from '../recipe.js';

/** Lists a scenario of this name. */
export function listed(name: string): readonly Edit[] {
  const file = 'emulator/scenarios/index.ts';
  return [
    {
      file,
      line: 'import { passwordAndVerification }',
      where: 'before',
      insert: `import { ${name} } from './customer/${name}.js';`,
    },
    { file, line: 'flexDay,', insert: `  ${name},` },
  ];
}

/** A scenario that sends what an expression for the account returns. */
export function scenarioThatSends(name: string, occurrence: string, imports: string): string {
  return `
${imports}
import { customerOf } from '../../world/customer/customer.js';
import { defineScenario, emit } from '../define.js';

export const ${name} = defineScenario({
  name: '${name}',
  title: 'A customer names an account',
  description: 'A customer with several accounts gives one of them a name.',
  rate: 2,
  branches: { name: { home: 0.6, office: 0.4 } },
  *run({ cell, branch }) {
    const customer = customerOf(cell);
    if (customer !== undefined) yield* emit(${occurrence});
  },
});
`;
}

export const scenario: Recipe = {
  title: 'Add a scenario',
  files: {
    'emulator/world/customer/nicknames.ts': `
import type { Occurrence } from '../../engine/scenario.js';
import type { Account } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** The account gets a name. Key: account number. */
export function nameAccount(account: Account, nickname: string): Occurrence {
  return occurrence('account_metadata.created', account.number, {
    v1: { account_number: account.number, key: 'nickname', value: nickname },
  });
}
`,
    'emulator/scenarios/customer/nickname.ts': scenarioThatSends(
      'nickname',
      'nameAccount(customer.account, branch.name)',
      "import { nameAccount } from '../../world/customer/nicknames.js';",
    ),
  },
  edits: listed('nickname'),
};

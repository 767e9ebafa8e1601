import { after } from '../../engine/scenario.js';
import { reactivateAccount, updateAccount } from '../../world/customer/accounts.js';
import { reactivationSources } from '../../world/customer/words.js';
import { defineScenario, emit } from '../define.js';

export const accountReactivation = defineScenario({
  name: 'account-reactivation',
  title: 'A closed account comes back',
  description:
    'An account that was left, or never came further than being asked for, is used again: its customer signs up ' +
    'once more, or an agent opens it to put something right.',
  setting: 'closed',
  rate: 0.6,
  branches: {},
  *run({ cell, random }) {
    const account = cell.accounts.find(({ status }) => status === 'DORMANT' || status === 'WITHDRAWN');
    if (account === undefined) return;
    const before = account.status;
    yield* emit(reactivateAccount(account, random.weighted(reactivationSources)));
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    yield* emit(updateAccount(account, { status: { old: before, new: account.status } }));
  },
});

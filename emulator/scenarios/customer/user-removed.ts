import { after } from '../../engine/scenario.js';
import { removeLoyaltyRole, removeUser, secondUserOf } from '../../world/changes/users.js';
import { customerOf } from '../../world/customer.js';
import { defineScenario, emit } from '../define.js';

export const userRemoved = defineScenario({
  name: 'user-removed',
  title: 'A second user loses access to an account',
  description:
    'Somebody who shared an account with its holder, as a former partner or flatmate, is unlinked from it by an agent. ' +
    'They collect no more loyalty points for it, and do not see it any more.',
  rate: 12,
  starts: 'office',
  branches: {},
  *run({ cell }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { account } = customer;
    const user = secondUserOf(cell, account);
    yield* emit(removeLoyaltyRole(user, account));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    if (account.users.includes(user)) yield* emit(removeUser(user, account));
  },
});

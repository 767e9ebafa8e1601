import { after } from '../../engine/scenario.js';
import { newAccount } from '../../world/cell.js';
import { linkAccount, openAccount } from '../../world/customer/accounts.js';
import {
  assignOperationsTeam,
  checkBusinessCredit,
  completeBusiness,
  createBusiness,
  createInternalCompany,
} from '../../world/business/businesses.js';
import { defineScenario, emit } from '../define.js';

export const businessOnboarding = defineScenario({
  name: 'business-onboarding',
  title: 'A business becomes a customer',
  description:
    'A business is entered, mostly completed from the register of companies, and its credit is checked. Within days it ' +
    'has its account, which its director sees next to those of their other businesses, and perhaps a team that looks after it. Seldom, the platform founds a company of its own ' +
    'to make the contract with.',
  setting: 'business',
  rate: 1,
  starts: 'working-day',
  branches: {
    register: { found: 0.7, unknown: 0.3 },
    team: { assigned: 0.5, none: 0.5 },
    company: { existing: 0.98, founded: 0.02 },
  },
  *run({ cell, branch, random }) {
    const [contact] = cell.account.users;
    const entered = createBusiness(cell, random);
    if (contact === undefined || entered === undefined) return;
    const { business, created } = entered;
    yield* emit(created);
    if (branch.register === 'found') {
      yield* after({ seconds: 10 }, { hours: 4 }, 'working-day');
      yield* emit(completeBusiness(business, random));
    }
    yield* after({ seconds: 10 }, { days: 1 }, 'working-day');
    // The check and the opening share a key, which keeps them in order.
    const future = newAccount(cell.ids);
    yield* emit(checkBusinessCredit(cell, business, future));
    if (branch.company === 'founded') {
      yield* after({ hours: 1 }, { days: 3 }, 'working-day');
      yield* emit(createInternalCompany(cell, business));
    }
    yield* after({ minutes: 1 }, { days: 1 }, 'working-day');
    const { account, opened } = openAccount(cell, contact, future);
    yield* emit(opened);
    yield* after({ seconds: 1 }, { seconds: 5 });
    yield* emit(linkAccount(contact, account));
    if (branch.team === 'none') return;
    yield* after({ minutes: 1 }, { days: 5 }, 'working-day');
    yield* emit(assignOperationsTeam(business, random));
  },
});

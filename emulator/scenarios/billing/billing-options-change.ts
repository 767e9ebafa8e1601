import { after } from '../../engine/scenario.js';
import { accountOnSupply, booksOf } from '../../world/billing/books.js';
import { updateAccount } from '../../world/customer/accounts.js';
import { changeBillDay } from '../../world/billing/bills.js';
import { staffId, systemUser } from '../../world/staff.js';
import { defineScenario, emit } from '../define.js';

export const billingOptionsChange = defineScenario({
  name: 'billing-options-change',
  title: 'A customer asks for another bill day',
  description:
    'A customer wants the bill on another day of the month, after payday perhaps, and says so on the web or to an ' +
    'agent. The next bill waits for the new day, unless it would be much longer.',
  rate: 25,
  starts: 'waking',
  needsSupply: true,
  branches: { record: { updated: 0.5, untouched: 0.5 } },
  *run(context) {
    const { cell, calendar, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const books = booksOf(cell, account);
    const { day } = books.options;
    const isOffice = calendar.next(context.now, 'office') === context.now;
    const enteredBy = isOffice && random.chance(0.7) ? staffId(random) : systemUser;
    const otherDay = ((day - 1 + random.integer(1, 27)) % 28) + 1;
    yield* emit(changeBillDay(cell, account, books, { day: otherDay, enteredBy }));
    if (branch.record === 'updated') {
      yield* after({ seconds: 1 }, { seconds: 3 });
      const change = { old: String(day), new: String(books.options.day) };
      yield* emit(updateAccount(account, { bill_day: change }));
    }
  },
});

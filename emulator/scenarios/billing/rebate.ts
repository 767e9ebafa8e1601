import { after, until } from '../../engine/scenario.js';
import { dateOf, type Day, dayOf } from '../../engine/time.js';
import { accountOnSupply } from '../../world/billing/books.js';
import { postEntry } from '../../world/billing/ledger.js';
import {
  acceptRebate,
  applyForRebate,
  declineRebate,
  type RebateType,
  reviewRebate,
} from '../../world/billing/bills.js';
import { rebateDeclineReasons, rebateTypes } from '../../world/billing/words.js';
import { defineScenario, emit } from '../define.js';

export const rebate = defineScenario({
  name: 'rebate',
  title: 'A household applies for a rebate',
  description:
    'A household applies for help with its bills. The application is looked at, sometimes twice, and accepted or ' +
    'turned down; the credit of an accepted one follows within weeks of it, or of the start of the scheme.',
  rate: 8,
  starts: 'office',
  needsSupply: true,
  branches: {
    review: { none: 0.6, noted: 0.4 },
    decision: { accepted: 0.8, declined: 0.2 },
  },
  *run(context) {
    const { cell, calendar, random, branch } = context;
    const account = accountOnSupply(cell);
    if (account === undefined) return;
    const type = random.weighted(rebateTypes);
    const scheme = schemeOf(type, cell.today);
    const { rebate: applied, created } = applyForRebate(cell, account, { type, ...scheme });
    yield* emit(created);
    if (branch.review === 'noted') {
      yield* after({ workingDays: 1, minutes: 1 }, { workingDays: 7, hours: 6 }, 'working-day');
      yield* emit(reviewRebate(applied, branch.decision === 'accepted'));
    }
    yield* after({ workingDays: 2, minutes: 1 }, { workingDays: 20, hours: 6 }, 'working-day');
    if (branch.decision === 'declined') {
      yield* emit(declineRebate(applied, random.weighted(rebateDeclineReasons)));
      return;
    }
    yield* emit(acceptRebate(applied));
    yield* until(Math.max(context.now, calendar.instantOf(scheme.from)));
    yield* after({ days: 5 }, { days: 40 }, 'night');
    // The supplier of that day pays the rebate.
    if (account.status !== 'ACTIVE') return;
    yield* emit(postEntry(cell, account, { kind: 'credit', amount: worth[type] }).posted);
  },
});

/** Pence. */
const worth: Record<RebateType, number> = {
  WARM_HOME_DISCOUNT: 15_000,
  SOCIAL_TARIFF: 9_000,
  GREEN_LEVY: 4_200,
};

/** Returns the scheme: from October to March with applications from April, or all year. */
function schemeOf(type: RebateType, today: Day): { from: Day; to: Day } {
  const { year, month } = dateOf(today);
  const begins = month >= 4 ? year : year - 1;
  return { from: dayOf(begins, type === 'WARM_HOME_DISCOUNT' ? 10 : 4, 1), to: dayOf(begins + 1, 3, 31) };
}

import { after, between } from '../../engine/scenario.js';
import { extendMembership, joinCampaign, leaveCampaign } from '../../world/sales/enrolment.js';
import { customerOf } from '../../world/customer/customer.js';
import { defineScenario, emit } from '../define.js';

export const campaigns = defineScenario({
  name: 'campaigns',
  title: 'An account takes part in a campaign',
  description:
    'An account is put into one of the campaigns of the season. Some take part for longer than planned at first; half ' +
    'are taken out again on the night on which their time is over, or some weeks before.',
  rate: 45,
  starts: 'working-day',
  branches: {
    course: { stays: 0.4, extended: 0.1, removed: 0.4, 'extended-then-removed': 0.1 },
  },
  *run(context) {
    const { cell, calendar, random } = context;
    const { course } = context.branch;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const joined = joinCampaign(cell, customer.account, random);
    if (joined === undefined) return;
    const { membership, added } = joined;
    yield* emit(added);
    if (course === 'extended' || course === 'extended-then-removed') {
      yield* after({ days: 1 }, { days: 25 }, 'working-day');
      yield* emit(extendMembership(membership, random.integer(14, 30)));
    }
    if (course === 'removed' || course === 'extended-then-removed') {
      yield* after({ days: 10 });
      const over = calendar.instantOf(membership.ends);
      yield* between(random.chance(0.5) ? context.now : over, over, 'night');
      yield* emit(leaveCampaign(cell, membership));
    }
  },
});

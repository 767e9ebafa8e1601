import { chicago } from '../../engine/calendar.js';
import { after } from '../../engine/scenario.js';
import { changeMarketStatus, marketStatusOf } from '../../world/changes/electricity.js';
import { defineScenario, emit } from '../define.js';

export const texasMarketStatus = defineScenario({
  name: 'texas-market-status',
  title: 'The Texan market confirms that a household is supplied',
  description:
    'In Texas the market keeps the status of each account at its meter point. A household that signs up is pending ' +
    'for some hours or days, then active from midnight on; some move away later and become inactive. Everything ' +
    'happens in the office hours of Central Time.',
  setting: 'texas',
  calendar: chicago,
  starts: 'working-day',
  rate: 10,
  branches: { later: { stays: 0.7, leaves: 0.3 } },
  *run(stage) {
    const { cell, calendar } = stage;
    const { account } = cell;
    const before = marketStatusOf(cell);
    if (before !== undefined && before !== 'INACTIVE') return;
    const changeTo = (status: 'PENDING' | 'ACTIVE' | 'INACTIVE') => {
      const effective = status === 'PENDING' ? stage.now : calendar.instantOf(calendar.dayAt(stage.now));
      return emit(changeMarketStatus(cell, account, { status, effective, at: stage.now }));
    };
    yield* changeTo('PENDING');
    yield* after({ hours: 2 }, { days: 2 }, 'working-day');
    yield* changeTo('ACTIVE');
    if (stage.branch.later === 'stays') return;
    yield* after({ days: 30 }, { days: 700 }, 'working-day');
    yield* changeTo('INACTIVE');
  },
});

import { after } from '../../engine/scenario.js';
import {
  changeMemberships,
  createGroup,
  createGroupVersion,
  existingContracts,
} from '../../world/changes/contracts.js';
import { customerOf } from '../../world/customer.js';
import { defineScenario, emit } from '../define.js';

export const contractGroup = defineScenario({
  name: 'contract-group',
  title: 'A business has its contracts treated as one',
  description:
    'A business with several contracts has them put into a group, for one bill or a common discount. Weeks later ' +
    'another contract may join the group, and one may leave it.',
  setting: 'business',
  rate: 0.8,
  starts: 'working-day',
  branches: { members: { kept: 0.5, changed: 0.5 } },
  *run(stage) {
    const { cell, calendar, random } = stage;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { account } = customer;
    const today = calendar.dayAt(stage.now);
    const contracts = existingContracts(cell, account, random.integer(2, 3), today);
    const { group, created } = createGroup(cell, contracts, { on: today, random });
    yield* emit(created);
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(createGroupVersion(cell, group, { on: today, at: stage.now, random }));

    if (stage.branch.members === 'kept') return;
    yield* after({ days: 1 }, { days: 90 }, 'working-day');
    const on = calendar.dayAt(stage.now);
    const joining = existingContracts(cell, account, contracts.length + 1, on).find(
      (contract) => !contracts.includes(contract),
    );
    if (joining === undefined) return;
    const leaving = random.chance(0.3) ? contracts[0] : undefined;
    yield* emit(changeMemberships(group, { joining, leaving, on }));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    yield* emit(createGroupVersion(cell, group, { on, at: stage.now, random }));
  },
});

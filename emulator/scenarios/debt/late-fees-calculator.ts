import { after } from '../../engine/scenario.js';
import { accountOnSupply } from '../../world/books.js';
import { applyCalculatedFee, completeFeeRun, startFeeRun } from '../../world/changes/late-fees.js';
import { postEntry } from '../../world/changes/ledger.js';
import { lateFees } from '../../world/vocabulary/debt.js';
import { defineScenario, emit } from '../define.js';

export const lateFeesCalculator = defineScenario({
  name: 'late-fees-calculator',
  title: 'A business is charged for paying late, by the older calculator',
  description:
    'Some accounts are still on the calculator that finds late fees and charges them in one go, at night. It says at ' +
    'its end how many it charged and how many it did not.',
  setting: 'business',
  rate: 4,
  starts: 'night',
  branches: { fees: { none: 0.4, one: 0.45, two: 0.15 } },
  *run(stage) {
    const { cell, calendar, random, branch } = stage;
    const account = accountOnSupply(cell, calendar.dayAt(stage.now));
    if (account === undefined) return;
    const { run, started } = startFeeRun(cell, account, 'calculator');
    yield* emit(started);
    const due = { none: 0, one: 1, two: 2 }[branch.fees];
    while (run.applied < due) {
      yield* after({ milliseconds: 200 }, { seconds: 5 });
      const amount = Number(random.weighted(lateFees));
      const { entry, posted } = postEntry(cell, account, { kind: 'charge', amount });
      yield* emit(posted);
      yield* after({ milliseconds: 100 });
      yield* emit(applyCalculatedFee(run, entry));
    }
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(completeFeeRun(run, 'calculator', random.chance(0.1) ? 1 : 0));
  },
});

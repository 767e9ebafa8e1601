import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Cell } from '../../world/cell.js';
import {
  appointAssetManager,
  assetManagerOf,
  backfill,
  backfillThroughApi,
  changeCohort,
  type Cohort,
  cohortOf,
  deappointAssetManager,
  requestChangeOfAssetManager,
} from '../../world/industry/gas-meters.js';
import { presentSupplies, type Supply } from '../../world/supplies.js';
import { cohorts } from '../../world/industry/meter-words.js';
import { meterAssetManagers } from '../../world/industry/participants.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  work: { 'asset-manager': 0.4, backfill: 0.35, cohort: 0.25 },
  api: { absent: 0.5, backfilled: 0.5 },
} as const;

export const gasMamAndBackfill = defineScenario({
  name: 'gas-mam-and-backfill',
  title: 'A gas meter gets another asset manager or cohort, or is sent again',
  description:
    'A gas supply point stays with us while the records about it change: another asset manager looks after the meter ' +
    'from some day on, the meter is managed with another cohort, or what is known about it is sent again for systems ' +
    'that missed it.',
  setting: 'dual-fuel',
  rate: 25,
  starts: 'working-morning',
  branches,
  *run(context) {
    const [supply] = presentSupplies(context.cell, 'GBR_GAS');
    if (supply === undefined) return;
    switch (context.branch.work) {
      case 'asset-manager':
        return yield* changeAssetManager(context, supply);
      case 'backfill':
        return yield* sendAgain(context, supply);
      case 'cohort':
        return yield* emit(changeCohort(context.cell, supply, otherCohort(context, supply)));
    }
  },
});

type GasRecords = ScenarioContext<Cell, typeof branches>;

/** Notifies both asset managers before the day of the change. */
function* changeAssetManager(
  { cell, calendar, random }: GasRecords,
  { account, supplyPoint }: Supply,
): Steps {
  const current = assetManagerOf(cell, supplyPoint);
  const next = random.pick(meterAssetManagers.filter((manager) => manager !== current));
  const from = calendar.addWorkingDays(cell.today, random.integer(8, 14));
  const force = random.chance(0.05);
  yield* emit(requestChangeOfAssetManager(cell, account, supplyPoint, { to: next, from, force }));
  yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 5, hours: 6 }, 'industry');
  yield* emit(deappointAssetManager(cell, account, supplyPoint, { on: from - 1 }));
  yield* after({ minutes: 1 }, { days: 1 }, 'industry');
  yield* emit(appointAssetManager(cell, account, supplyPoint, { manager: next, force }));
}

function* sendAgain(context: GasRecords, supply: Supply): Steps {
  const lastReadOn = context.cell.today - context.random.integer(1, 13);
  yield* emit(backfill(context.cell, supply, lastReadOn));
  if (context.branch.api === 'absent') return;
  yield* after({ minutes: 1 }, { days: 1 }, 'industry');
  yield* emit(backfillThroughApi(context.cell, supply));
}

function otherCohort({ cell, random }: GasRecords, { supplyPoint }: Supply): Cohort {
  return random.weighted({ ...cohorts, [cohortOf(cell, supplyPoint)]: 0 });
}

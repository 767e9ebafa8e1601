import { after } from '../../engine/scenario.js';
import { changeEnergisation, deactivateMeter, energisationOf } from '../../world/changes/electricity.js';
import { presentSupplies } from '../../world/supplies.js';
import { energisationStatuses } from '../../world/vocabulary/supply.js';
import { defineScenario, emit } from '../define.js';

export const energisationAndService = defineScenario({
  name: 'energisation-and-service',
  title: 'A supply point is switched off or on, and perhaps loses its meter',
  description:
    'The network tells us, without having been asked, that it switched an electricity supply point off or on again. ' +
    'Often the visit goes with another: some days later the meter that hung there is reported as taken down.',
  rate: 4,
  starts: 'working-day',
  branches: { meter: { kept: 0.6, deactivated: 0.4 } },
  *run(stage) {
    const { cell, branch, random } = stage;
    const [supply] = presentSupplies(cell, 'GBR_ELECTRICITY');
    if (supply === undefined) return;
    const { account, supplyPoint } = supply;
    const on = Math.max(supply.from, stage.calendar.dayAt(stage.now) - random.integer(0, 2));
    const before = energisationOf(cell, supplyPoint);
    const status = before === undefined ? random.weighted(energisationStatuses) : before === 'E' ? 'D' : 'E';
    yield* emit(changeEnergisation(cell, account, supplyPoint, { status, on }));
    if (branch.meter === 'kept') return;
    yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 10, hours: 6 }, 'working-day');
    yield* emit(deactivateMeter(cell, account, supplyPoint, stage.calendar.dayAt(stage.now)));
  },
});

import { after } from '../../engine/scenario.js';
import { createAgreement } from '../../world/changes/agreements.js';
import { exportInstallationAt, validateInstallation } from '../../world/changes/electricity.js';
import { registerElectricity } from '../../world/changes/registration.js';
import { presentSupplies } from '../../world/supplies.js';
import { defineScenario, emit } from '../define.js';

export const exportInstallation = defineScenario({
  name: 'export-installation',
  title: 'A home is going to be paid for what it feeds back',
  description:
    "An agent finds the papers of a household's panels in order. The second MPAN of the home, for what it feeds back, " +
    'is registered to us, and once that is through an agreement on an export product follows.',
  rate: 3,
  starts: 'office',
  branches: {},
  *run(stage) {
    const { cell, calendar, random } = stage;
    const [supply] = presentSupplies(cell, 'GBR_ELECTRICITY');
    if (supply === undefined || exportInstallationAt(cell, supply.property) !== undefined) return;
    const { account, property, supplyPoint: importPoint } = supply;
    const livesThere = () => presentSupplies(cell).some((present) => present.supplyPoint === importPoint);
    const { installation, validated } = validateInstallation(cell, account, property, {
      importPoint,
      random,
    });
    yield* emit(validated);
    const { supplyPoint, product } = installation;
    yield* after({ workingDays: 5, minutes: 5 }, { workingDays: 25, hours: 6 }, 'industry');
    if (!livesThere()) return;
    const from = calendar.addWorkingDays(calendar.dayAt(stage.now), random.integer(1, 5));
    yield* emit(registerElectricity(account, supplyPoint, { from, how: 'export' }));
    yield* after({ days: 8 }, { days: 20 }, 'office');
    if (!livesThere()) return;
    yield* emit(createAgreement(cell, account, { supplyPoint, product, from }).created);
  },
});

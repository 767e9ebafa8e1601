import { after } from '../../engine/scenario.js';
import { changeReadPermission, updateConsent } from '../../world/changes/preferences.js';
import { customerOf } from '../../world/customer.js';
import { defineScenario, emit } from '../define.js';

export const smartReadPermission = defineScenario({
  name: 'smart-read-permission',
  title: 'A customer decides how often smart meters are read',
  description:
    'A customer, or an agent for them, lets the platform read the smart meters more or less often than before. Mostly ' +
    'the consent that this rests on is signed again.',
  rate: 40,
  branches: { consent: { signed: 0.7, unchanged: 0.3 } },
  *run(stage) {
    const { cell, calendar, random } = stage;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    yield* emit(changeReadPermission(cell, customer, { on: calendar.dayAt(stage.now), random }));
    if (stage.branch.consent === 'unchanged') return;
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(updateConsent(cell, customer, stage.now));
  },
});

import { after } from '../../engine/scenario.js';
import { deauthenticateDevice, registerDevice } from '../../world/flex/flex.js';
import { customerOf } from '../../world/customer/customer.js';
import { defineScenario, emit } from '../define.js';

export const flexRegister = defineScenario({
  name: 'flex-register',
  title: 'A customer lets the platform control a device',
  description:
    'A customer gives the platform access to a car, a charge point, a battery or a heat pump, mostly in the evening. ' +
    'Some take it away again months later, or let it expire: then the platform no longer controls the device.',
  rate: 3,
  starts: 'evening',
  branches: { access: { kept: 0.8, lost: 0.2 } },
  *run({ cell, branch, random }) {
    const customer = customerOf(cell);
    const registration = customer && registerDevice(cell, customer, random);
    if (registration === undefined) return;
    yield* emit(registration.registered);
    if (branch.access === 'kept') return;
    yield* after({ days: 30 }, { days: 400 }, 'waking');
    yield* emit(deauthenticateDevice(registration.device));
  },
});

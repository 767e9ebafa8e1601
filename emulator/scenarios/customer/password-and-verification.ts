import { after } from '../../engine/scenario.js';
import {
  changePassword,
  completeVerification,
  logIn,
  requestPasswordReset,
  startVerification,
} from '../../world/customer/sign-in.js';
import { customerOf } from '../../world/customer/customer.js';
import { verificationTypes } from '../../world/customer/words.js';
import { defineScenario, emit } from '../define.js';

export const passwordAndVerification = defineScenario({
  name: 'password-and-verification',
  title: 'A customer sets a new password',
  description:
    'A customer asks for a new password. Most choose one, sign in with it, and some are asked to prove that their ' +
    'e-mail address or telephone number is theirs. Others never follow the link.',
  rate: 220,
  branches: {
    outcome: { abandoned: 0.2, changed: 0.04, 'signed-in': 0.76 },
    verification: { none: 0.7, unfinished: 0.045, completed: 0.255 },
  },
  *run({ cell, branch, random }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { user } = customer;
    yield* emit(requestPasswordReset(user));
    if (branch.outcome === 'abandoned') return;
    yield* after({ minutes: 1 }, { hours: 2 });
    yield* emit(changePassword(user));
    if (branch.outcome === 'changed') return;
    yield* after({ seconds: 2 }, { minutes: 1 });
    yield* emit(logIn(user, 'PASSWORD', ''));
    if (branch.verification === 'none') return;
    yield* after({ minutes: 1 }, { minutes: 10 });
    const { verification, started } = startVerification(cell, user, random.weighted(verificationTypes));
    yield* emit(started);
    if (branch.verification === 'unfinished') return;
    yield* after({ seconds: 20 }, { days: 1 });
    yield* emit(completeVerification(verification));
  },
});

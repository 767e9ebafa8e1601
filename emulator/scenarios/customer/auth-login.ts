import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Cell, User } from '../../world/cell.js';
import {
  completeLoginStep,
  denyLogin,
  failLogin,
  failMfaChallenge,
  issueAccessToken,
  logIn,
  mfaDeviceOf,
} from '../../world/customer/sign-in.js';
import { customerOf } from '../../world/customer/customer.js';
import { loginFailures, loginMethods } from '../../world/customer/words.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  outcome: {
    'signed-in': 0.705,
    'signed-in-with-code': 0.194,
    mistyped: 0.057,
    'wrong-password': 0.009,
    'wrong-code': 0.006,
    denied: 0.005,
    'code-not-sent': 0.004,
    'token-only': 0.02,
  },
} as const;

export const authLogin = defineScenario({
  name: 'auth-login',
  title: 'A customer signs in',
  description:
    'A customer signs in on the web or in the app, sometimes with a second factor. Most get in and are given a token, ' +
    'a few after a mistyped password. Others give up, wait for a code that cannot be sent, or break a security rule. A token can also be ' +
    'issued without signing in, to an app that was signed in before or to somebody who acts for the customer.',
  rate: 9300,
  branches,
  *run(context) {
    const customer = customerOf(context.cell);
    if (customer === undefined) return;
    const { user } = customer;
    switch (context.branch.outcome) {
      case 'signed-in':
        yield* emit(logIn(user, context.random.weighted(loginMethods), ''));
        return yield* takeToken(user);
      case 'signed-in-with-code':
        yield* enterPassword(user);
        yield* enterCode(context, user);
        return yield* takeToken(user);
      case 'mistyped':
        yield* mistype(context, user, 'INVALID_CREDENTIALS');
        yield* after({ seconds: 5 }, { seconds: 40 });
        yield* emit(logIn(user, 'PASSWORD', ''));
        return yield* takeToken(user);
      case 'wrong-password':
        return yield* mistype(context, user, context.random.weighted(loginFailures.PASSWORD));
      case 'wrong-code':
        yield* enterPassword(user);
        yield* after({ seconds: 8 }, { seconds: 60 });
        return yield* emit(failLogin(context.cell, user, { step: 'MFA', reason: 'INVALID_MFA_CODE' }));
      case 'denied':
        return yield* emit(denyLogin(user, context.random));
      case 'code-not-sent':
        yield* enterPassword(user);
        yield* after({ seconds: 1 }, { seconds: 3 });
        return yield* emit(failMfaChallenge(user, mfaDeviceOf(context.cell, user)));
      case 'token-only':
        return yield* emit(issueAccessToken(user, context.random.weighted(delegates)));
    }
  },
});

type SigningIn = ScenarioContext<Cell, typeof branches>;

const delegates = { '': 0.8, SUPPORT_USER: 0.15, ORGANISATION: 0.05 } as const;

function* enterPassword(user: User): Steps {
  yield* emit(completeLoginStep(user, 'PASSWORD', ''));
}

function* enterCode({ cell }: SigningIn, user: User): Steps {
  const device = mfaDeviceOf(cell, user);
  yield* after({ seconds: 8 }, { seconds: 60 });
  yield* emit(completeLoginStep(user, 'MFA', device));
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(logIn(user, 'PASSWORD', device));
}

function* takeToken(user: User): Steps {
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(issueAccessToken(user, ''));
}

/** Fails up to three times for a wrong password, mostly once, and once for a locked account or an expired link. */
function* mistype(
  { cell, random }: SigningIn,
  user: User,
  reason: keyof typeof loginFailures.PASSWORD,
): Steps {
  const attempts = reason === 'INVALID_CREDENTIALS' ? Number(random.weighted({ 1: 75, 2: 19, 3: 6 })) : 1;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) yield* after({ seconds: 5 }, { seconds: 40 });
    yield* emit(failLogin(cell, user, { step: 'PASSWORD', reason }));
  }
}

import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import {
  type loginFailures,
  type MfaDevice,
  mfaDevices,
  securityRuleCount,
  type verificationTypes,
} from './words.js';

// Key of all these events: user number. None of them changes the cell.

type LoginFailure =
  | { readonly step: 'PASSWORD'; readonly reason: keyof (typeof loginFailures)['PASSWORD'] }
  | { readonly step: 'MFA'; readonly reason: keyof (typeof loginFailures)['MFA'] };

/** Returns the user's device for codes, which never changes. */
export function mfaDeviceOf({ seed }: Cell, user: User): MfaDevice {
  return randomStream(seed, user.number, 'mfa device').weighted(mfaDevices);
}

export function failLogin(cell: Cell, user: User, { step, reason }: LoginFailure) {
  const brand = brandOf(cell);
  return occurrence('auth_server.account_user.login_failed', user.number, {
    v1: { ...identity(user), step, failure_reason: reason, brand, user_brands: [brand] },
  });
}

/** Publishes a completed login step: the password without a device, or the code from a device. */
export function completeLoginStep(user: User, step: 'PASSWORD' | 'MFA', device: MfaDevice | '') {
  return occurrence('auth_server.account_user.login_step_completed', user.number, {
    v1: { ...identity(user), step, mfa_device_type: device },
  });
}

/** Publishes that the code could not be sent. */
export function failMfaChallenge(user: User, device: MfaDevice) {
  return occurrence('auth_server.account_user.generate_mfa_challenge_error', user.number, {
    v1: { ...identity(user), device },
  });
}

/** Denies the login by one to three security rules. */
export function denyLogin(user: User, random: RandomStream) {
  const first = random.integer(1, securityRuleCount - 2);
  const rules = Array.from({ length: random.integer(1, 3) }, (_, index) => first + index);
  return occurrence('auth_server.account_user.login_denied', user.number, {
    v1: { ...identity(user), enforced_security_rule_ids: rules },
  });
}

export function logIn(user: User, method: string, device: MfaDevice | '') {
  return occurrence('auth_server.account_user.logged_in', user.number, {
    v1: { ...identity(user), login_method: method, mfa_device_type: device },
  });
}

/** Issues an access token. `delegate` is the party that acts on the user's behalf, or empty. */
export function issueAccessToken(user: User, delegate: '' | 'SUPPORT_USER' | 'ORGANISATION') {
  return occurrence('auth-server.access-token.issued', user.number, {
    v1: { delegate, viewer: 'ACCOUNT_USER', viewer_id: user.id },
  });
}

export function requestPasswordReset(user: User) {
  return occurrence('account_user.password_reset_requested', user.number, { v1: identity(user) });
}

/** Publishes that the user has changed the password. */
export function changePassword(user: User): Occurrence {
  return occurrence('account_user.password_changed', user.number, { v1: { user_id: user.id } });
}

function brandOf({ setting, traits }: Cell): string {
  if (setting === 'business') return 'EMULATOR_BUSINESS';
  if (traits.secondBrand) return 'HARBOUR_POWER';
  return setting === 'texas' ? 'EMULATOR_TEXAS' : 'EMULATOR_ENERGY';
}

function identity(user: User) {
  return { account_user_id: user.id, account_user_number: user.number };
}

/** Verification of a user's contact detail. Key of its events: user number. */
interface Verification {
  readonly id: number;
  readonly user: User;
  readonly type: keyof typeof verificationTypes;
}

export function startVerification(cell: Cell, user: User, type: Verification['type']) {
  const verification: Verification = { id: cell.ids.integer('verification'), user, type };
  const started = occurrence('account_user.verification_started', user.number, {
    v1: describe(verification),
  });
  return { verification, started };
}

export function completeVerification(verification: Verification) {
  return occurrence('account_user.verification_completed', verification.user.number, {
    v1: describe(verification),
  });
}

function describe({ id, user, type }: Verification) {
  return { user_number: user.number, verification_id: id, verification_type: type };
}

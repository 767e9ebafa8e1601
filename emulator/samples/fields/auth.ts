import {
  loginFailures,
  loginMethods,
  type LoginStep,
  loginSteps,
  mfaDevices,
  partnerRoles,
  pushProviders,
  type RoleCode,
  roles,
  securityRuleCount,
  userRoles,
  verificationTypes,
} from '../../world/vocabulary/auth.js';
import { type Brand, brands } from '../../world/vocabulary/platform.js';
import { user } from '../facts/household.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Logins, roles, verifications, push notifications. */
export const auth: Area = {
  fields: {
    delegate: () => '',
    viewer: () => 'ACCOUNT_USER',
    viewer_id: (s) => user(s).id,
    device: (s) => s.random.weighted(mfaDevices),
    login_method: (s) => s.random.weighted(loginMethods),
    // Most people have no second factor, and a password alone asks for none.
    mfa_device_type: (s) => {
      const isUsed = s.eventType.endsWith('login_step_completed') ? step(s) === 'MFA' : s.random.chance(0.3);
      return isUsed ? s.random.weighted(mfaDevices) : '';
    },
    enforced_security_rule_ids: (s) => ruleIds(s),
    step,
    failure_reason: (s) => s.random.weighted<string>(loginFailures[step(s)]),
    brand,
    user_brands: (s) => [brand(s)],
    verification_id: (s) => s.integer('verification'),
    verification_type: (s) => s.random.weighted(verificationTypes),
    push_notification_binding_id: (s) => s.integer('push notification binding'),
    token: (s) => `${s.uuid('token a')}${s.uuid('token b')}`.replaceAll('-', ''),
    external_provider: (s) => s.random.weighted(pushProviders),
    permissions: (s) => [...roles[role(s)].permissions],
    display_name: (s) => roles[role(s)].name,
  },
  events: {
    'customer_access.*': {
      code: role,
      name: (s) => roles[role(s)].name,
      description: (s) => `${roles[role(s)].name}: what this role may see and do.`,
    },
  },
};

function step(subject: Subject): LoginStep {
  return subject.once('login step', (random) => random.weighted(loginSteps));
}

function brand(subject: Subject): Brand {
  return subject.once('brand', (random) => random.weighted(brands));
}

function role(subject: Subject): RoleCode {
  const codes: readonly RoleCode[] = subject.eventType.includes('partner') ? partnerRoles : userRoles;
  return subject.once('role', (random) => random.pick(codes));
}

/** One or two rules, in ascending order. */
function ruleIds({ random }: Scene): number[] {
  const first = random.integer(1, securityRuleCount - 1);
  return random.chance(0.3) ? [first, random.integer(first + 1, securityRuleCount)] : [first];
}

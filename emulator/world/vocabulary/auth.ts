export const loginMethods = { PASSWORD: 0.55, MAGIC_LINK: 0.2, GOOGLE: 0.1, APPLE: 0.1, SSO: 0.05 } as const;
export type LoginMethod = keyof typeof loginMethods;

/** Second factors, as the platform publishes them; without one, fields hold the empty string. */
export const mfaDevices = { SMS: 0.5, TOTP: 0.35, EMAIL: 0.15 } as const;
export type MfaDevice = keyof typeof mfaDevices;

export const loginSteps = { PASSWORD: 0.8, MFA: 0.2 } as const;
export type LoginStep = keyof typeof loginSteps;

/** Why a step failed: each reason belongs to one step. */
export const loginFailures = {
  PASSWORD: { INVALID_CREDENTIALS: 0.91, ACCOUNT_LOCKED: 0.06, EXPIRED_LINK: 0.03 },
  MFA: { INVALID_MFA_CODE: 1 },
} as const;

export const verificationTypes = { EMAIL: 0.6, SMS: 0.35, MANUAL: 0.04, OTHER: 0.01 } as const;

/** Services that carry push notifications. */
export const pushProviders = { FCM: 0.55, APNS: 0.45 } as const;

/** Roles that can be given, with what they allow. */
export const roles = {
  ACCOUNT_HOLDER: {
    name: 'Account holder',
    permissions: [
      'view-account',
      'submit-meter-readings',
      'manage-payments',
      'view-documents',
      'switch-product',
    ],
  },
  BILL_PAYER: { name: 'Bill payer', permissions: ['view-account', 'manage-payments', 'view-documents'] },
  VIEWER: { name: 'Viewer', permissions: ['view-account', 'view-documents'] },
  BROKER_READ: { name: 'Broker, reading only', permissions: ['view-account', 'view-documents'] },
  PARTNER_ADMIN: {
    name: 'Partner administrator',
    permissions: ['view-account', 'submit-meter-readings', 'view-documents', 'switch-product'],
  },
} as const;
export type RoleCode = keyof typeof roles;
export const userRoles = ['ACCOUNT_HOLDER', 'BILL_PAYER', 'VIEWER'] as const;
export const partnerRoles = ['BROKER_READ', 'PARTNER_ADMIN'] as const;

/** Rules that can refuse a login are numbered from 1 to this. */
export const securityRuleCount = 12;

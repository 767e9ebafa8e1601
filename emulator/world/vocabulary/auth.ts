export const loginMethods = { PASSWORD: 0.55, MAGIC_LINK: 0.2, GOOGLE: 0.1, APPLE: 0.1, SSO: 0.05 } as const;

/** Second factors. A login without one has an empty string in the payload. */
export const mfaDevices = { SMS: 0.5, TOTP: 0.35, EMAIL: 0.15 } as const;
export type MfaDevice = keyof typeof mfaDevices;

/** Reasons for a failed login, by step. */
export const loginFailures = {
  PASSWORD: { INVALID_CREDENTIALS: 0.91, ACCOUNT_LOCKED: 0.06, EXPIRED_LINK: 0.03 },
  MFA: { INVALID_MFA_CODE: 1 },
} as const;

export const verificationTypes = { EMAIL: 0.6, SMS: 0.35, MANUAL: 0.04, OTHER: 0.01 } as const;

export const pushProviders = { FCM: 0.55, APNS: 0.45 } as const;

/** Standard access roles with their permissions. */
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

const partnerRoles = ['BROKER_READ', 'PARTNER_ADMIN'] as const;

/** Codes of the standard roles, by the kind of role. */
export const standardRoles = {
  partner_roles: partnerRoles,
  partner_user_roles: partnerRoles,
  user_roles: ['ACCOUNT_HOLDER', 'BILL_PAYER', 'VIEWER'],
} as const;

export const roleNames = ['Night desk', 'Meter reader', 'Auditor', 'Landlord', 'Regional broker'] as const;

/** Security rules are numbered from 1 to this. */
export const securityRuleCount = 12;

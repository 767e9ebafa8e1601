/** What a role can allow. */
export const permissions = [
  'view-account',
  'submit-meter-readings',
  'manage-payments',
  'view-documents',
  'switch-product',
] as const;

/** Roles that the platform comes with, by whom they are for. */
export const standardRoles = {
  partner_roles: ['PARTNER_ADMIN', 'BROKER_READ'],
  partner_user_roles: ['BROKER_READ', 'VIEWER'],
  user_roles: ['ACCOUNT_HOLDER', 'BILL_PAYER', 'VIEWER'],
} as const;

/** What new roles are named after. */
export const roleNames = ['Night desk', 'Meter reader', 'Auditor', 'Landlord', 'Regional broker'] as const;

import { partnerRoles, roles, userRoles } from './auth.js';

/** What a role can allow. */
export const permissions = roles.ACCOUNT_HOLDER.permissions;

/** Roles that the platform comes with, by whom they are for. */
export const standardRoles = {
  partner_roles: partnerRoles,
  partner_user_roles: partnerRoles,
  user_roles: userRoles,
} as const;

/** What new roles are named after. */
export const roleNames = ['Night desk', 'Meter reader', 'Auditor', 'Landlord', 'Regional broker'] as const;

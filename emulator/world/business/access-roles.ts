import type { RandomStream } from '../../engine/random.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';

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
const standardRoles = {
  partner_roles: partnerRoles,
  partner_user_roles: partnerRoles,
  user_roles: ['ACCOUNT_HOLDER', 'BILL_PAYER', 'VIEWER'],
} as const;

const roleNames = ['Night desk', 'Meter reader', 'Auditor', 'Landlord', 'Regional broker'] as const;

type RoleKind = keyof typeof standardRoles;

/** A role with its permissions. Key of its events: the code. */
interface AccessRole {
  readonly kind: RoleKind;
  readonly code: string;
  allowed: readonly string[];
}

export function standardRole(kind: RoleKind, random: RandomStream): AccessRole {
  const code = random.pick<RoleCode>(standardRoles[kind]);
  return { kind, code, allowed: roles[code].permissions };
}

export function createRole(cell: Cell, kind: RoleKind, random: RandomStream) {
  const name = random.pick(roleNames);
  const code = `${name.toUpperCase().replaceAll(' ', '_')}_${cell.ids.integer('access role')}`;
  const allowed = drawPermissions(random);
  const v1 = { code, permissions: [...allowed] };
  const created =
    kind === 'user_roles'
      ? occurrence('customer_access.user_roles.created', code, { v1: { ...v1, name } })
      : occurrence(`customer_access.${kind}.created`, code, { v1 });
  return { role: { kind, code, allowed }, created };
}

export function updateRole(role: AccessRole, random: RandomStream) {
  const before = role.allowed.join();
  do role.allowed = drawPermissions(random);
  while (role.allowed.join() === before);
  return occurrence(`customer_access.${role.kind}.updated`, role.code, {
    v1: { code: role.code, permissions: [...role.allowed] },
  });
}

/** Draws at least one permission, in the usual order. */
function drawPermissions(random: RandomStream): readonly string[] {
  const { permissions } = roles.ACCOUNT_HOLDER;
  const always = random.pick(permissions);
  return permissions.filter((permission) => permission === always || random.chance(0.4));
}

import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type RoleCode, roleNames, roles, standardRoles } from '../vocabulary/auth.js';

type RoleKind = keyof typeof standardRoles;

/** A role with its permissions. Key of its events: the code. */
interface AccessRole {
  readonly kind: RoleKind;
  readonly code: string;
  allowed: readonly string[];
}

/** Returns a standard role of the platform. */
export function standardRole(kind: RoleKind, random: RandomStream): AccessRole {
  const code = random.pick<RoleCode>(standardRoles[kind]);
  return { kind, code, allowed: roles[code].permissions };
}

export function createRole(
  cell: Cell,
  kind: RoleKind,
  random: RandomStream,
): { role: AccessRole; created: Occurrence } {
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

/** Changes the permissions of the role. */
export function updateRole(role: AccessRole, random: RandomStream): Occurrence {
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

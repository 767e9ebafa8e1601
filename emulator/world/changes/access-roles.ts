import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { permissions, roleNames, standardRoles } from '../vocabulary/access-roles.js';
import { type RoleCode, roles } from '../vocabulary/auth.js';

/** Whom a role is for. */
export type RoleKind = keyof typeof standardRoles;

/** What somebody may do. Key of its events: its code. */
export interface AccessRole {
  readonly kind: RoleKind;
  readonly code: string;
  allowed: readonly string[];
}

/** A role that the platform came with. */
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

/** The role allows something else from now on. */
export function updateRole(role: AccessRole, random: RandomStream): Occurrence {
  const before = role.allowed.join();
  do role.allowed = drawPermissions(random);
  while (role.allowed.join() === before);
  return occurrence(`customer_access.${role.kind}.updated`, role.code, {
    v1: { code: role.code, permissions: [...role.allowed] },
  });
}

/** One permission at least, in their usual order. */
function drawPermissions(random: RandomStream): readonly string[] {
  const always = random.pick(permissions);
  return permissions.filter((permission) => permission === always || random.chance(0.4));
}

import { after, type Steps } from '../../engine/scenario.js';
import { createRole, standardRole, updateRole } from '../../world/business/access-roles.js';
import { defineScenario, emit } from '../define.js';

const kinds = { partner: 'partner_roles', 'partner-user': 'partner_user_roles', user: 'user_roles' } as const;

export const accessRoles = defineScenario({
  name: 'access-roles',
  title: 'An administrator says who may do what',
  description:
    'An administrator of the platform makes a role for partners, for those who work there, or for users, and may ' +
    'change what it allows some weeks later. Or they change a role that the platform came with.',
  setting: 'platform',
  rate: 0.2,
  starts: 'working-day',
  branches: {
    kind: { partner: 0.34, 'partner-user': 0.33, user: 0.33 },
    course: { created: 0.5, 'created-then-updated': 0.3, updated: 0.2 },
  },
  *run({ cell, branch, random }): Steps {
    const kind = kinds[branch.kind];
    if (branch.course === 'updated') return yield* emit(updateRole(standardRole(kind, random), random));
    const { role, created } = createRole(cell, kind, random);
    yield* emit(created);
    if (branch.course === 'created') return;
    yield* after({ days: 1 }, { days: 60 }, 'working-day');
    yield* emit(updateRole(role, random));
  },
});

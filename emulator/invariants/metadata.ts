import { comparing } from './comparing.js';
import { type Invariant, unlessFiltered } from './invariant.js';
import { changedMembers, identifier } from './payload.js';

export const metadataInvariants: readonly Invariant[] = [
  metadata('account', 'account_metadata', 'account_number'),
  metadata('user', 'account_user_metadata', 'user_id'),
  metadata(
    'account-property-period',
    'account_property_effective_period_metadata',
    'account_property_effective_period_id',
  ),
];

/** Creates the invariant that keys are created before they are updated or removed. */
function metadata(what: string, family: string, owner: string): Invariant {
  const created = `${family}.created`;
  const removed = `${family}.removed`;
  const entity = `metadata of ${what.replaceAll('-', ' ')}`;
  return comparing<boolean>({
    name: `${what}-metadata-in-order`,
    statement: `A key of \`${family}\` is created only if it does not exist, and updated or removed only if it does.`,
    entity,
    of(event) {
      const id = identifier(event, owner);
      if (id === undefined || !event.type.startsWith(`${family}.`)) return undefined;
      const key = identifier(event, 'key');
      const keys = key === undefined ? changedMembers(event, 'changes') : [key];
      return keys.map((each) => JSON.stringify([id, each]));
    },
    see(event, exists) {
      const mustExist = event.type !== created;
      const problem = mustExist ? 'is updated or removed before its creation' : 'is created again';
      return {
        keep: event.type !== removed,
        entity: `${entity} "${identifier(event, owner)}"`,
        what: exists !== undefined && exists !== mustExist && problem,
        certain: unlessFiltered(mustExist ? created : removed),
      };
    },
  });
}

import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { type Carries, noFindings } from './invariant.js';
import { BoundedMap } from './bounded-map.js';
import { changedMembers, identifier, occurred } from './payload.js';

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
  function start() {
    const keys = new BoundedMap<{ readonly exists: boolean; readonly at: number }>();
    function see(event: StreamEvent): readonly Finding[] {
      if (!event.type.startsWith(`${family}.`)) return noFindings;
      const id = identifier(event, owner);
      const key = identifier(event, 'key');
      const named = key === undefined ? changedMembers(event, 'changes') : [key];
      return id === undefined ? noFindings : named.flatMap((each) => judge(event, id, each));
    }
    function judge(event: StreamEvent, id: string, key: string): readonly Finding[] {
      const name = JSON.stringify([id, key]);
      const at = occurred(event);
      const before = keys.get(name);
      if (before !== undefined && at < before.at) return noFindings;
      keys.set(name, { exists: event.type !== removed, at });
      const mustExist = event.type !== created;
      if (before === undefined || before.exists === mustExist) return noFindings;
      const entity = `metadata of ${what.replaceAll('-', ' ')} "${id}"`;
      const certain = (carries: Carries) => carries(mustExist ? created : removed);
      const problem = mustExist ? 'is updated or removed before its creation' : 'is created again';
      return [{ event, entity, what: problem, certain }];
    }
    return { see };
  }
  return {
    name: `${what}-metadata-in-order`,
    statement: `A key of \`${family}\` is created only if it does not exist, and updated or removed only if it does.`,
    proof: 'stream',
    start,
  };
}

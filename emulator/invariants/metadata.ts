import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { type Carries, fine } from './invariant.js';
import { Memory } from './memory.js';
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

/** A key is either there or not: created when it is not, updated and removed when it is. */
function metadata(what: string, family: string, owner: string): Invariant {
  const created = `${family}.created`;
  const removed = `${family}.removed`;
  function start() {
    const keys = new Memory<{ readonly isThere: boolean; readonly at: number }>();
    function see(event: StreamEvent): readonly Finding[] {
      if (!event.type.startsWith(`${family}.`)) return fine;
      const id = identifier(event, owner);
      const key = identifier(event, 'key');
      const named = key === undefined ? changedMembers(event, 'changes') : [key];
      return id === undefined ? fine : named.flatMap((each) => judge(event, id, each));
    }
    function judge(event: StreamEvent, id: string, key: string): readonly Finding[] {
      const name = JSON.stringify([id, key]);
      const at = occurred(event);
      const before = keys.get(name);
      if (before !== undefined && at < before.at) return fine;
      keys.set(name, { isThere: event.type !== removed, at });
      const mustBeThere = event.type !== created;
      if (before === undefined || before.isThere === mustBeThere) return fine;
      const entity = `metadata of ${what.replaceAll('-', ' ')} "${id}"`;
      const certain = (carries: Carries) => carries(mustBeThere ? created : removed);
      const found = mustBeThere
        ? 'is changed or removed where there is none'
        : 'is created where it is already';
      return [{ event, entity, what: found, certain }];
    }
    return { see };
  }
  return {
    name: `${what}-metadata-in-order`,
    statement: `A key of \`${family}\` is created only where it is not there, and updated or removed only where it is.`,
    proof: 'stream',
    start,
  };
}

import { type ErrorCode, errorCodes } from 'busbar/internal/kafka-protocol';
import type { ClientIdentity } from '../long-polls.js';
import type { Settings } from '../options.js';
import { Group, type GroupEvents } from './group.js';

/** All consumer groups of the broker. */
export class Groups {
  readonly #settings: Settings;
  readonly #events: GroupEvents;
  readonly #groups = new Map<string, Group>();

  constructor(settings: Settings, events: GroupEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  get(id: string): Group | undefined {
    return this.#groups.get(id);
  }

  all(): Group[] {
    return [...this.#groups.values()];
  }

  /** Returns the group, and creates it if it does not exist; undefined if there are too many. */
  open(id: string): Group | undefined {
    const { clock, maxGroups, initialRebalanceDelayMs } = this.#settings;
    let group = this.#groups.get(id);
    if (!group && this.#groups.size < maxGroups) {
      group = new Group(id, clock, this.#events, initialRebalanceDelayMs);
      this.#groups.set(id, group);
    }
    return group;
  }

  delete(id: string): ErrorCode {
    const group = this.#groups.get(id);
    if (!group) return errorCodes.groupIdNotFound;
    if (group.members.size > 0) return errorCodes.nonEmptyGroup;
    group.dispose();
    this.#groups.delete(id);
    return errorCodes.none;
  }

  /** Whether a group of this client waits for its members to join again. */
  rebalancing({ clientId, clientHost }: ClientIdentity): boolean {
    for (const { state, members } of this.#groups.values()) {
      if (state !== 'PreparingRebalance') continue;
      for (const member of members.values()) {
        if (member.clientId === clientId && member.clientHost === clientHost) return true;
      }
    }
    return false;
  }

  /**
   * Records a fetch of this client. A fetch names no group, so it counts for every member of that client.
   * @returns the group of the client; undefined for none, and for several
   */
  fetched({ clientId, clientHost }: ClientIdentity): Group | undefined {
    const found = new Set<Group>();
    for (const group of this.#groups.values()) {
      for (const member of group.members.values()) {
        if (member.clientId !== clientId || member.clientHost !== clientHost) continue;
        member.fetchedAt = this.#settings.clock.now();
        found.add(group);
      }
    }
    const [only] = found;
    return found.size === 1 ? only : undefined;
  }

  deleteTopic(topic: string): void {
    for (const group of this.#groups.values()) group.offsets.delete(topic);
  }

  dispose(): void {
    for (const group of this.#groups.values()) group.dispose();
  }
}

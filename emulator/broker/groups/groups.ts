import type { BrokerClock } from '../clock.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { Group } from './group.js';

export interface GroupsOptions {
  /** The most groups that the broker keeps. */
  readonly maxGroups: number;
  /** The range in which a session timeout must lie, as `group.min.session.timeout.ms` and `...max...`. */
  readonly minSessionTimeoutMs: number;
  readonly maxSessionTimeoutMs: number;
}

/** All consumer groups of the broker. */
export class Groups {
  readonly options: GroupsOptions;
  readonly #clock: BrokerClock;
  readonly #groups = new Map<string, Group>();

  constructor(options: GroupsOptions, clock: BrokerClock) {
    this.options = options;
    this.#clock = clock;
  }

  get(id: string): Group | undefined {
    return this.#groups.get(id);
  }

  all(): Group[] {
    return [...this.#groups.values()];
  }

  /** The group, new if it does not exist; undefined when there are too many. */
  open(id: string): Group | undefined {
    let group = this.#groups.get(id);
    if (!group && this.#groups.size < this.options.maxGroups) {
      group = new Group(id, this.#clock);
      this.#groups.set(id, group);
    }
    return group;
  }

  delete(id: string): ErrorCode {
    const group = this.#groups.get(id);
    if (id === '') return errorCodes.invalidGroupId;
    if (!group) return errorCodes.groupIdNotFound;
    if (group.members.size > 0) return errorCodes.nonEmptyGroup;
    group.dispose();
    this.#groups.delete(id);
    return errorCodes.none;
  }

  deleteTopic(topic: string): void {
    for (const group of this.#groups.values()) group.offsets.deleteTopic(topic);
  }

  dispose(): void {
    for (const group of this.#groups.values()) group.dispose();
  }
}

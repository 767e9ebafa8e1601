import type { WireClient } from '../../../emulator/broker/wire-client.js';
import type { Body, Dialogue } from '../dialogue.js';

type Changes = Record<string, unknown>;

/** The fields of a JoinGroup response that the script uses. */
export interface Joined {
  readonly errorCode: number;
  readonly memberId: string;
  readonly generationId: number;
}

/** The requests of members of one group, with the values that a well-behaved member would send. */
export class GroupRequests {
  readonly id: string;
  readonly #to: Dialogue;

  constructor(to: Dialogue, name: string) {
    this.#to = to;
    to.begin();
    this.id = to.named(name);
  }

  async join(
    label: string,
    changes: Changes = {},
    options: { version?: number; on?: WireClient } = {},
  ): Promise<Joined> {
    return (await this.#step(label, 'JoinGroup', joinRequest(this.id, changes), options)) as Joined;
  }

  /** The id that a dynamic member is given first. */
  async joined(label: string, changes: Changes = {}): Promise<string> {
    const { errorCode, memberId } = await this.#to.ask('JoinGroup', joinRequest(this.id, changes));
    this.#to.keep(`id of ${label}`, { errorCode, memberId });
    return memberId as string;
  }

  sync(label: string, memberId: string, generationId: number, changes: Changes = {}, on?: WireClient) {
    return this.#step(
      label,
      'SyncGroup',
      {
        ...{ groupId: this.id, generationId, memberId, groupInstanceId: null },
        ...{ protocolType: 'consumer', protocolName: 'range', assignments: [] },
        ...changes,
      },
      on ? { on } : {},
    );
  }

  heartbeat(label: string, memberId: string, generationId: number, changes: Changes = {}) {
    return this.#step(label, 'Heartbeat', {
      ...{ groupId: this.id, generationId, memberId, groupInstanceId: null },
      ...changes,
    });
  }

  commit(label: string, memberId: string, generationId: number, topic: string, changes: Changes = {}) {
    const {
      partition = 0,
      committedOffset = 1,
      committedMetadata = 'm',
      committedLeaderEpoch = -1,
      ...rest
    } = changes;
    return this.#step(label, 'OffsetCommit', {
      ...{ groupId: this.id, generationId, memberId, groupInstanceId: null, retentionTimeMs: -1 },
      topics: [
        {
          name: topic,
          partitions: [
            { partition, committedOffset, committedLeaderEpoch, committedMetadata, commitTimestamp: -1 },
          ],
        },
      ],
      ...rest,
    });
  }

  leave(label: string, memberId: string, groupInstanceId: string | null = null, version?: number) {
    return this.#step(
      label,
      'LeaveGroup',
      { groupId: this.id, memberId, members: [{ memberId, groupInstanceId, reason: null }] },
      version === undefined ? {} : { version },
    );
  }

  describe(label: string) {
    return this.#step(label, 'DescribeGroups', { groups: [this.id], includeAuthorizedOperations: false });
  }

  delete(label: string) {
    return this.#step(label, 'DeleteGroups', { groupNames: [this.id] });
  }

  #step(label: string, api: string, body: Body, options: { version?: number; on?: WireClient } = {}) {
    return this.#to.step(label, api, body, options);
  }
}

export function joinRequest(groupId: string, changes: Changes = {}): Body {
  return {
    ...{ groupId, sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000, memberId: '', groupInstanceId: null },
    ...{ protocolType: 'consumer', protocols: [protocol('range')], reason: null },
    ...changes,
  };
}

/** A subscription of a consumer, which Kafka reads: one that it cannot read is never answered. */
export function protocol(name: string, topic = 'topic') {
  const metadata = Buffer.alloc(12 + topic.length);
  metadata.writeInt32BE(1, 2); // one topic, in version 0
  metadata.writeInt16BE(topic.length, 6);
  metadata.write(topic, 8);
  metadata.writeInt32BE(-1, 8 + topic.length); // no user data
  return { name, metadata };
}

export function assignments(...memberIds: readonly string[]) {
  return memberIds.map((memberId, index) => ({ memberId, assignment: Buffer.from(`assignment ${index}`) }));
}

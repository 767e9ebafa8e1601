import { randomUUID } from 'node:crypto';
import {
  type joinGroupTable,
  NO_BYTES,
  type Read,
  type syncGroupTable,
  type Written,
} from 'busbar/internal/kafka-protocol';

/** A client's request to join a group. */
export interface JoinRequest extends Read<typeof joinGroupTable.request> {
  readonly clientId: string;
  readonly clientHost: string;
  /** Whether the client can join again with a member id that it gets (KIP-394, JoinGroup v4). */
  readonly acceptsMemberId: boolean;
  /** Whether a static leader can keep the assignment (KIP-814, JoinGroup v9). */
  readonly canSkipAssignment: boolean;
}

export type Protocol = JoinRequest['protocols'][number];
/** Lists all members for the leader only. */
export type JoinResult = Written<typeof joinGroupTable.response>;
export type SyncResult = Written<typeof syncGroupTable.response>;

/** The parts of a request that a member can change when it joins again. */
type Rejoin = Omit<JoinRequest, 'memberId' | 'groupInstanceId'>;

/** A member of a group. Its session timer runs unless the member waits for a response. */
export interface Member extends Rejoin {
  id: string;
  readonly groupInstanceId: string | null;
  assignment: Buffer;
  /** Set while a JoinGroup of the member waits for the rebalance to complete. */
  resolveJoin: ((result: JoinResult) => void) | undefined;
  /** Set while a SyncGroup of the member waits for the leader's assignment. */
  resolveSync: ((result: SyncResult) => void) | undefined;
  cancelSession: () => void;
  /** The time of the client's last fetch; undefined before the first. */
  fetchedAt: number | undefined;
}

export function newMember(id: string, request: JoinRequest): Member {
  return {
    ...rejoin(request),
    id,
    groupInstanceId: request.groupInstanceId,
    assignment: NO_BYTES,
    resolveJoin: undefined,
    resolveSync: undefined,
    cancelSession: () => undefined,
    fetchedAt: undefined,
  };
}

export function updateMember(member: Member, request: JoinRequest): void {
  Object.assign(member, rejoin(request));
}

function rejoin({ memberId: _memberId, groupInstanceId: _instance, ...rest }: JoinRequest): Rejoin {
  return rest;
}

/** Returns a member id as in Kafka: the client or instance id and a random part. */
export function newMemberId(request: JoinRequest): string {
  return `${request.groupInstanceId ?? request.clientId}-${randomUUID()}`;
}

export function sameProtocols(one: readonly Protocol[], other: readonly Protocol[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ name, metadata }, index) => name === other[index]?.name && metadata.equals(other[index].metadata),
    )
  );
}

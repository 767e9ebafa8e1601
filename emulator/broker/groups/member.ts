import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../protocol/error-codes.js';

export interface Protocol {
  readonly name: string;
  readonly metadata: Buffer;
}

/** What a client says of itself when it joins. */
export interface JoinRequest {
  readonly memberId: string;
  /** Not null for a static member (KIP-345). */
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly protocolType: string;
  readonly protocols: readonly Protocol[];
  /** Whether the client can be given a member id and asked to join again with it (KIP-394, JoinGroup v4). */
  readonly acceptsMemberId: boolean;
  /** Whether a static leader can be told to keep the assignment (KIP-814, JoinGroup v9). */
  readonly canSkipAssignment: boolean;
}

export interface JoinResult {
  readonly errorCode: ErrorCode;
  readonly memberId: string;
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly leader: string;
  readonly skipAssignment: boolean;
  /** The leader alone gets the members. */
  readonly members: readonly {
    readonly memberId: string;
    readonly groupInstanceId: string | null;
    readonly metadata: Buffer;
  }[];
}

export interface SyncResult {
  readonly errorCode: ErrorCode;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly assignment: Buffer;
}

/** A member of a group. Its session timer runs unless it waits for an answer of ours. */
export interface Member {
  id: string;
  readonly groupInstanceId: string | null;
  clientId: string;
  clientHost: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  protocols: readonly Protocol[];
  assignment: Buffer;
  /** Set while a JoinGroup of the member waits for the rebalance to complete. */
  answerJoin: ((result: JoinResult) => void) | undefined;
  /** Set while a SyncGroup of the member waits for the leader's assignment. */
  answerSync: ((result: SyncResult) => void) | undefined;
  cancelSession: () => void;
  /** When its client last asked for records; undefined when not yet. */
  fetchedAt: number | undefined;
}

export function newMember(id: string, request: JoinRequest): Member {
  return {
    id,
    groupInstanceId: request.groupInstanceId,
    clientId: request.clientId,
    clientHost: request.clientHost,
    sessionTimeoutMs: request.sessionTimeoutMs,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs,
    protocols: request.protocols,
    assignment: NO_BYTES,
    answerJoin: undefined,
    answerSync: undefined,
    cancelSession: () => undefined,
    fetchedAt: undefined,
  };
}

/** What a member may change by joining again. */
export function updateMember(member: Member, request: JoinRequest): void {
  member.clientId = request.clientId;
  member.clientHost = request.clientHost;
  member.sessionTimeoutMs = request.sessionTimeoutMs;
  member.rebalanceTimeoutMs = request.rebalanceTimeoutMs;
  member.protocols = request.protocols;
}

/** Ids look like Kafka's: the client's (or instance's) name and a random part. */
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

export const NO_BYTES = Buffer.alloc(0);

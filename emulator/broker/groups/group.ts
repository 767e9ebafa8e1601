import type { Clock } from 'busbar/base';
import { type ErrorCode, errorCodes, NO_BYTES } from 'busbar/internal/kafka-protocol';
import { CommittedOffsets } from './committed-offsets.js';
import { Deliveries } from './deliveries.js';
import type { JoinResult, Member, Protocol, SyncResult } from './member.js';

/** A state of Kafka's classic group protocol, named as in Kafka's tools. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** The reason why a member left its group. */
export type DepartureReason = 'left' | 'session expired' | 'did not join again in time' | 'evicted';

/** A member that left its group. */
export interface Departure {
  readonly clientId: string;
  readonly reason: DepartureReason;
}

/** The minimum rebalance timeout. Kafka accepts 0, and removes the member before its SyncGroup arrives. */
const MIN_REBALANCE_MS = 1000;

export interface GroupEvents {
  /** Called for each member that must join again. */
  readonly rebalance: (member: Member) => void;
  readonly commit: (groupId: string) => void;
}

/**
 * A consumer group: its members and the rebalance cycle. The group APIs act on it.
 *
 * Empty -> PreparingRebalance (members join) -> CompletingRebalance (the leader assigns) -> Stable, and back to
 * PreparingRebalance when the membership or a subscription changes.
 */
export class Group {
  readonly id: string;
  readonly clock: Clock;
  readonly offsets: CommittedOffsets;
  readonly deliveries = new Deliveries();
  readonly members = new Map<string, Member>();
  /** Member ids that no client has joined with yet (KIP-394), with the function that cancels their timer. */
  readonly pending = new Map<string, () => void>();
  state: GroupState = 'Empty';
  generation = 0;
  protocolType: string | null = null;
  protocolName: string | null = null;
  leaderId: string | null = null;
  /** The member that left last, to explain an empty group. */
  lastDeparture: Departure | undefined;
  /** Members without a SyncGroup in this generation. */
  #toSync = new Set<string>();
  #cancelTimer: () => void = () => undefined;
  readonly #events: GroupEvents;
  readonly #initialDelayMs: number;
  #waitsForFirstMembers = false;

  constructor(id: string, clock: Clock, events: GroupEvents, initialDelayMs: number) {
    this.id = id;
    this.#events = events;
    this.#initialDelayMs = initialDelayMs;
    this.clock = clock;
    this.offsets = new CommittedOffsets(() => events.commit(id));
  }

  /** Returns the member with a static instance id (KIP-345). */
  instance(groupInstanceId: string): Member | undefined {
    for (const member of this.members.values()) if (member.groupInstanceId === groupInstanceId) return member;
    return undefined;
  }

  /** Returns the member, or the error for a caller that isn't a member. */
  identify(memberId: string, groupInstanceId: string | null): Member | ErrorCode {
    if (groupInstanceId !== null) {
      const instance = this.instance(groupInstanceId);
      if (!instance) return errorCodes.unknownMemberId;
      return instance.id === memberId ? instance : errorCodes.fencedInstanceId;
    }
    return this.members.get(memberId) ?? errorCodes.unknownMemberId;
  }

  add(member: Member): void {
    this.members.set(member.id, member);
    this.leaderId ??= member.id;
  }

  /** Gives a restarted static member a new id, which distinguishes it from its old process. */
  renameMember(member: Member, id: string): void {
    this.members.delete(member.id);
    if (this.#toSync.delete(member.id)) this.#toSync.add(id);
    if (this.leaderId === member.id) this.leaderId = id;
    member.id = id;
    this.members.set(id, member);
  }

  remove(member: Member, reason: DepartureReason): void {
    this.lastDeparture = { clientId: member.clientId, reason };
    member.cancelSession();
    this.members.delete(member.id);
    this.#toSync.delete(member.id);
    this.#resolveJoin(member, errorCodes.unknownMemberId);
    this.resolveSync(member, errorCodes.unknownMemberId);
    if (this.leaderId === member.id) this.leaderId = this.#nextLeader();
    if (this.state === 'Stable' || this.state === 'CompletingRebalance') this.rebalance();
    else if (this.state === 'PreparingRebalance') this.completeIfAllJoined();
  }

  /** Removes a member id that the broker gave to a client. Returns whether no client has joined with it. */
  takePending(id: string): boolean {
    this.pending.get(id)?.();
    return this.pending.delete(id);
  }

  /** Removes the members with one client id or member id, or all, and the member ids that the broker gave to clients. */
  evict({ client, member: only }: { readonly client?: string; readonly member?: string }): number {
    for (const id of [...this.pending.keys()]) {
      if (only === undefined && (client === undefined || id.startsWith(`${client}-`))) this.takePending(id);
    }
    const evicted = [...this.members.values()].filter(
      (member) => member.clientId === (client ?? member.clientId) && member.id === (only ?? member.id),
    );
    for (const member of evicted) this.remove(member, 'evicted');
    this.completeIfAllJoined();
    return evicted.length;
  }

  /** Restarts the member's session timer, which removes the member after its session timeout. */
  keepAlive(member: Member): void {
    member.cancelSession();
    if (member.resolveJoin || member.resolveSync) return; // the member waits for the broker
    member.cancelSession = this.clock.schedule(member.sessionTimeoutMs, () =>
      this.remove(member, 'session expired'),
    );
  }

  /** Starts a rebalance: every member must join again. */
  rebalance(): void {
    if (this.state === 'PreparingRebalance') {
      this.completeIfAllJoined();
      return;
    }
    const first = this.state === 'Empty';
    if (this.state === 'CompletingRebalance') {
      for (const member of this.members.values()) this.resolveSync(member, errorCodes.rebalanceInProgress);
    }
    this.state = 'PreparingRebalance';
    this.#cancelTimer();
    for (const member of this.members.values()) this.#events.rebalance(member);
    if (first) {
      this.#waitForFirstMembers(this.#maxRebalanceTimeout());
      return;
    }
    this.#cancelTimer = this.clock.schedule(this.#maxRebalanceTimeout(), () => this.#complete());
    this.completeIfAllJoined();
  }

  completeIfAllJoined(): void {
    if (this.state !== 'PreparingRebalance' || this.pending.size > 0 || this.#waitsForFirstMembers) return;
    for (const member of this.members.values()) if (!member.resolveJoin) return;
    this.#complete();
  }

  /** Records a member's SyncGroup; the last one of a generation cancels the timer. */
  synced(member: Member): void {
    this.#toSync.delete(member.id);
    if (this.#toSync.size === 0) this.#cancelTimer();
  }

  /** Sends the leader's assignment to every member that waits for it. */
  assign(assignments: ReadonlyMap<string, Buffer>): void {
    this.state = 'Stable';
    for (const member of this.members.values()) {
      member.assignment = assignments.get(member.id) ?? NO_BYTES;
      this.resolveSync(member, errorCodes.none);
    }
  }

  resolveSync(member: Member, errorCode: ErrorCode): void {
    const resolve = member.resolveSync;
    if (!resolve) return;
    member.resolveSync = undefined;
    resolve(errorCode === errorCodes.none ? this.syncResult(member) : { errorCode });
    if (this.members.has(member.id)) this.keepAlive(member);
  }

  syncResult({ assignment }: Member): SyncResult {
    const { protocolType, protocolName } = this;
    return { errorCode: errorCodes.none, protocolType, protocolName, assignment };
  }

  joinResult(member: Member, as: { leader?: string; skipAssignment?: boolean } = {}): JoinResult {
    const leader = as.leader ?? this.leaderId ?? '';
    const members = leader === member.id ? [...this.members.values()] : [];
    return {
      errorCode: errorCodes.none,
      memberId: member.id,
      generationId: this.generation,
      protocolType: this.protocolType,
      protocolName: this.protocolName,
      leader,
      skipAssignment: as.skipAssignment ?? false,
      members: members.map(({ id, groupInstanceId, protocols }) => ({
        memberId: id,
        groupInstanceId,
        metadata: protocols.find(({ name }) => name === this.protocolName)?.metadata ?? NO_BYTES,
      })),
    };
  }

  /** Whether a client with these protocols can join: all present members, its old self included, must share one. */
  supports(protocolType: string, protocols: readonly Protocol[]): boolean {
    if (protocolType === '' || protocols.length === 0) return false;
    const present = [...this.members.values()];
    if (present.length === 0) return true;
    return protocolType === this.protocolType && protocols.some(({ name }) => commonTo(present, name));
  }

  /** Returns the protocol with most votes; each member votes for its first protocol that all support. */
  favourite(): string | null {
    const members = [...this.members.values()];
    const votes = new Map<string, number>();
    for (const { protocols } of members) {
      const choice = protocols.find(({ name }) => commonTo(members, name))?.name;
      if (choice !== undefined) votes.set(choice, (votes.get(choice) ?? 0) + 1);
    }
    const [winner] = [...votes].sort(([, one], [, other]) => other - one);
    return winner?.[0] ?? null;
  }

  /** Cancels all timers and removes all members, for a deleted group or a stopping broker. */
  dispose(): void {
    this.state = 'Dead';
    this.#cancelTimer();
    for (const cancel of this.pending.values()) cancel();
    this.pending.clear();
    for (const member of this.members.values()) this.remove(member, 'left');
  }

  /** Waits for more members of a new group. Each wait with a new member is followed by another (KIP-134). */
  #waitForFirstMembers(leftMs: number): void {
    const delayMs = Math.min(this.#initialDelayMs, leftMs);
    const { size } = this.members;
    this.#waitsForFirstMembers = delayMs > 0;
    if (delayMs <= 0) this.#complete();
    else
      this.#cancelTimer = this.clock.schedule(delayMs, () =>
        this.#waitForFirstMembers(this.members.size > size ? leftMs - delayMs : 0),
      );
  }

  #complete(): void {
    this.#cancelTimer();
    for (const member of this.members.values()) {
      // A restarting static member stays until its session expires.
      if (!member.resolveJoin && member.groupInstanceId === null) {
        member.cancelSession();
        this.members.delete(member.id);
        this.lastDeparture = { clientId: member.clientId, reason: 'did not join again in time' };
      }
    }
    const joined = [...this.members.values()].filter((member) => member.resolveJoin);
    if (this.members.size > 0 && joined.length === 0) {
      this.#cancelTimer = this.clock.schedule(this.#maxRebalanceTimeout(), () => this.#complete());
      return;
    }
    this.generation += 1;
    const leader = this.leaderId === null ? undefined : this.members.get(this.leaderId);
    if (!leader?.resolveJoin) this.leaderId = joined[0]?.id ?? null;
    if (this.members.size === 0) {
      this.state = 'Empty';
      this.protocolName = null;
      return;
    }
    this.state = 'CompletingRebalance';
    this.protocolName = this.favourite();
    this.#toSync = new Set(this.members.keys());
    this.#cancelTimer = this.clock.schedule(this.#maxRebalanceTimeout(), () => this.#removeSilent());
    for (const member of joined) this.#resolveJoin(member, errorCodes.none);
  }

  /** Removes members that joined without sending SyncGroup; they would block the others. */
  #removeSilent(): void {
    const silent = [...this.#toSync].flatMap((id) => this.members.get(id) ?? []);
    for (const member of silent) this.remove(member, 'did not join again in time');
  }

  #resolveJoin(member: Member, errorCode: ErrorCode): void {
    const resolve = member.resolveJoin;
    if (!resolve) return;
    member.resolveJoin = undefined;
    resolve({ ...this.joinResult(member), errorCode });
    if (this.members.has(member.id)) this.keepAlive(member);
  }

  #nextLeader(): string | null {
    const members = [...this.members.values()];
    return (members.find((member) => member.resolveJoin) ?? members[0])?.id ?? null;
  }

  #maxRebalanceTimeout(): number {
    return Math.max(
      MIN_REBALANCE_MS,
      ...[...this.members.values()].map(({ rebalanceTimeoutMs }) => rebalanceTimeoutMs),
    );
  }
}

function commonTo(members: readonly Member[], protocol: string): boolean {
  return members.every(({ protocols }) => protocols.some(({ name }) => name === protocol));
}

import type { BrokerClock } from '../clock.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { CommittedOffsets } from './committed-offsets.js';
import { type JoinResult, type Member, NO_BYTES, type Protocol, type SyncResult } from './member.js';

/** The states of Kafka's classic group protocol, under the names that its tools print. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** Why somebody is no member any more. */
export type DepartureReason = 'left' | 'session expired' | 'did not join again in time';

export interface Departure {
  readonly clientId: string;
  readonly reason: DepartureReason;
}

/** The shortest rebalance timeout. Kafka takes 0 as it is, and removes the member before its SyncGroup arrives. */
const MIN_REBALANCE_MS = 1000;

/** What a group tells of, so that others need not ask again and again. */
export interface GroupEvents {
  /** The member has to join again. */
  readonly rebalance: (member: Member) => void;
  readonly commit: (groupId: string) => void;
}

/**
 * A consumer group: its members and the rebalance cycle. Requests of members act on it through `join.ts`,
 * `sync.ts` and `membership.ts`.
 *
 * Empty -> PreparingRebalance (members join) -> CompletingRebalance (the leader assigns) -> Stable, and back to
 * PreparingRebalance whenever the membership or a subscription changes.
 */
export class Group {
  readonly id: string;
  readonly clock: BrokerClock;
  readonly offsets: CommittedOffsets;
  readonly members = new Map<string, Member>();
  /** Ids that were given out and not yet used to join (KIP-394), with what cancels their timer. */
  readonly pending = new Map<string, () => void>();
  state: GroupState = 'Empty';
  generation = 0;
  protocolType: string | null = null;
  protocolName: string | null = null;
  leaderId: string | null = null;
  /** The last member that went, to tell of where nobody is left. */
  lastDeparture: Departure | undefined;
  /** Members that have not yet asked for their assignment in this generation. */
  #toSync = new Set<string>();
  #cancelTimer: () => void = () => undefined;
  readonly #events: GroupEvents;

  constructor(id: string, clock: BrokerClock, events: GroupEvents) {
    this.id = id;
    this.#events = events;
    this.clock = clock;
    this.offsets = new CommittedOffsets(() => events.commit(id));
  }

  /** The member of a static instance id (KIP-345). */
  instance(groupInstanceId: string): Member | undefined {
    for (const member of this.members.values()) if (member.groupInstanceId === groupInstanceId) return member;
    return undefined;
  }

  /** Who the caller is, or which error tells it that it is no member (any more). */
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

  /** A restarted static member gets a new id, so that the old process can be told from the new one. */
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
    this.#answerJoin(member, errorCodes.unknownMemberId);
    this.answerSync(member, errorCodes.unknownMemberId);
    if (this.leaderId === member.id) this.leaderId = this.#nextLeader();
    if (this.state === 'Stable' || this.state === 'CompletingRebalance') this.rebalance();
    else if (this.state === 'PreparingRebalance') this.completeIfAllJoined();
  }

  /** (Re)starts the member's session: without a sign of life it is removed after its session timeout. */
  keepAlive(member: Member): void {
    member.cancelSession();
    if (member.answerJoin || member.answerSync) return; // it waits for us, not we for it
    member.cancelSession = this.clock.after(member.sessionTimeoutMs, () =>
      this.remove(member, 'session expired'),
    );
  }

  /** Asks every member to join again. */
  rebalance(): void {
    if (this.state === 'PreparingRebalance') {
      this.completeIfAllJoined();
      return;
    }
    const first = this.state === 'Empty';
    if (this.state === 'CompletingRebalance') {
      for (const member of this.members.values()) this.answerSync(member, errorCodes.rebalanceInProgress);
    }
    this.state = 'PreparingRebalance';
    this.#cancelTimer();
    for (const member of this.members.values()) this.#events.rebalance(member);
    // `group.initial.rebalance.delay.ms` is 0 here: the first member does not wait for others.
    if (first) {
      this.#complete();
      return;
    }
    this.#cancelTimer = this.clock.after(this.#longestRebalanceTimeout(), () => this.#complete());
    this.completeIfAllJoined();
  }

  completeIfAllJoined(): void {
    if (this.state !== 'PreparingRebalance' || this.pending.size > 0) return;
    for (const member of this.members.values()) if (!member.answerJoin) return;
    this.#complete();
  }

  /** Which members of the group's present generation ask for their assignment; the last one ends the timer. */
  synced(member: Member): void {
    this.#toSync.delete(member.id);
    if (this.#toSync.size === 0) this.#cancelTimer();
  }

  /** The leader's assignment reaches everyone who waits for it. */
  assign(assignments: ReadonlyMap<string, Buffer>): void {
    this.state = 'Stable';
    for (const member of this.members.values()) {
      member.assignment = assignments.get(member.id) ?? NO_BYTES;
      this.answerSync(member, errorCodes.none);
    }
  }

  answerSync(member: Member, errorCode: ErrorCode): void {
    const answer = member.answerSync;
    if (!answer) return;
    member.answerSync = undefined;
    answer(this.syncResult(errorCode, member));
    if (this.members.has(member.id)) this.keepAlive(member);
  }

  syncResult(errorCode: ErrorCode, member?: Member): SyncResult {
    if (errorCode !== errorCodes.none || !member) {
      return { errorCode, protocolType: null, protocolName: null, assignment: NO_BYTES };
    }
    const { protocolType, protocolName } = this;
    return { errorCode, protocolType, protocolName, assignment: member.assignment };
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

  /** Whether someone who brings these protocols can be a member: they must share one with all, their former self included. */
  supports(protocolType: string, protocols: readonly Protocol[]): boolean {
    if (protocolType === '' || protocols.length === 0) return false;
    const present = [...this.members.values()];
    if (present.length === 0) return true;
    return protocolType === this.protocolType && protocols.some(({ name }) => commonTo(present, name));
  }

  /** The protocol that the present members would choose. */
  favourite(): string | null {
    return vote([...this.members.values()]);
  }

  /** Ends everything that runs or waits: the group is deleted or the broker stops. */
  dispose(): void {
    this.state = 'Dead';
    this.#cancelTimer();
    for (const cancel of this.pending.values()) cancel();
    this.pending.clear();
    for (const member of this.members.values()) this.remove(member, 'left');
  }

  #complete(): void {
    this.#cancelTimer();
    for (const member of this.members.values()) {
      // A static member that is only restarting keeps its place until its session ends.
      if (!member.answerJoin && member.groupInstanceId === null) {
        member.cancelSession();
        this.members.delete(member.id);
        this.lastDeparture = { clientId: member.clientId, reason: 'did not join again in time' };
      }
    }
    const joined = [...this.members.values()].filter((member) => member.answerJoin);
    if (this.members.size > 0 && joined.length === 0) {
      this.#cancelTimer = this.clock.after(this.#longestRebalanceTimeout(), () => this.#complete());
      return;
    }
    this.generation += 1;
    const leader = this.leaderId === null ? undefined : this.members.get(this.leaderId);
    if (!leader?.answerJoin) this.leaderId = joined[0]?.id ?? null;
    if (this.members.size === 0) {
      this.state = 'Empty';
      this.protocolName = null;
      return;
    }
    this.state = 'CompletingRebalance';
    this.protocolName = this.favourite();
    this.#toSync = new Set(this.members.keys());
    this.#cancelTimer = this.clock.after(this.#longestRebalanceTimeout(), () => this.#removeSilent());
    for (const member of joined) this.#answerJoin(member, errorCodes.none);
  }

  /** Members that joined and then never asked for their assignment would block the others. */
  #removeSilent(): void {
    const silent = [...this.#toSync].flatMap((id) => this.members.get(id) ?? []);
    for (const member of silent) this.remove(member, 'did not join again in time');
  }

  #answerJoin(member: Member, errorCode: ErrorCode): void {
    const answer = member.answerJoin;
    if (!answer) return;
    member.answerJoin = undefined;
    answer({ ...this.joinResult(member), errorCode });
    if (this.members.has(member.id)) this.keepAlive(member);
  }

  #nextLeader(): string | null {
    const members = [...this.members.values()];
    return (members.find((member) => member.answerJoin) ?? members[0])?.id ?? null;
  }

  #longestRebalanceTimeout(): number {
    return Math.max(
      MIN_REBALANCE_MS,
      ...[...this.members.values()].map(({ rebalanceTimeoutMs }) => rebalanceTimeoutMs),
    );
  }
}

function commonTo(members: readonly Member[], protocol: string): boolean {
  return members.every(({ protocols }) => protocols.some(({ name }) => name === protocol));
}

/** Each member votes for the first of its protocols that all know; most votes win. */
function vote(members: readonly Member[]): string | null {
  const votes = new Map<string, number>();
  for (const { protocols } of members) {
    const choice = protocols.find(({ name }) => commonTo(members, name))?.name;
    if (choice !== undefined) votes.set(choice, (votes.get(choice) ?? 0) + 1);
  }
  let winner: string | null = null;
  for (const [name, count] of votes) if (winner === null || count > (votes.get(winner) ?? 0)) winner = name;
  return winner;
}

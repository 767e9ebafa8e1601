/** Bytes of the objects that represent a record until it is settled. */
const recordOverhead = 500;

/**
 * Memory for the unsettled records of all partitions of a run. Half of it is reserved in equal parts for the partitions;
 * they share the rest. When the shared part is used up, each partition is limited to its reserve until half of the
 * shared part is free again. So the partitions together exceed the budget by at most one record each, and none starves.
 */
export class MemoryBudget {
  readonly #bytes: number;
  readonly #shares = new Set<MemoryShare>();
  /** Number of assigned partitions, including those without a share yet. */
  #assigned = 1;
  /** Bytes that each partition may always hold. */
  reserve = 0;
  /** Sum over the partitions of the reserve or the bytes held, the larger one. */
  #charged = 0;
  /** Whether partitions are limited to their reserves. */
  isTight = false;
  #hasRelaxed = false;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#divide();
  }

  /** Divides the reserve by the number of assigned partitions. Called before the first share of an assignment. */
  divideBy(assigned: number): void {
    this.#assigned = assigned;
    this.#divide();
  }

  /** Creates a share. Calls `room` when partitions may take more than their reserves again. */
  share(room: () => void): MemoryShare {
    const share = new MemoryShare(this, room);
    this.#shares.add(share);
    this.#divide();
    return share;
  }

  remove(share: MemoryShare): void {
    this.#shares.delete(share);
    this.#divide();
  }

  /** Updates the charge when a share's bytes change. */
  changed(before: number, after: number): void {
    this.#charge(this.#charged + Math.max(after, this.reserve) - Math.max(before, this.reserve));
  }

  /** Calls `room` of every share, if partitions may take more than their reserves again. */
  notifyRoom(): void {
    if (!this.#hasRelaxed) return;
    this.#hasRelaxed = false;
    for (const share of this.#shares) share.room();
  }

  #divide(): void {
    const partitions = Math.max(this.#assigned, this.#shares.size, 1);
    this.reserve = this.#bytes / 2 / partitions;
    let charged = (partitions - this.#shares.size) * this.reserve;
    for (const { held } of this.#shares) charged += Math.max(held, this.reserve);
    this.#charge(charged);
  }

  #charge(charged: number): void {
    this.#charged = charged;
    if (charged >= this.#bytes) this.isTight = true;
    else if (this.isTight && charged <= this.#bytes * 0.75) {
      this.isTight = false;
      this.#hasRelaxed = true;
    }
  }
}

/** One partition's part of the budget. */
export class MemoryShare {
  readonly room: () => void;
  readonly #budget: MemoryBudget;
  /** Bytes held. */
  held = 0;

  constructor(budget: MemoryBudget, room: () => void) {
    this.#budget = budget;
    this.room = room;
  }

  /** Used part of the reserve; 1 is full. Always 0 while the shared part is not used up. */
  get used(): number {
    return this.#budget.isTight ? this.held / this.#budget.reserve : 0;
  }

  /** Whether the share is full. Checked before a record is taken, so a record larger than the budget still passes. */
  get isFull(): boolean {
    return this.used >= 1;
  }

  /** Whether at least half of the reserve is free. */
  get hasRoom(): boolean {
    return this.used <= 0.5;
  }

  take(bytes: number): void {
    this.#change(bytes + recordOverhead);
  }

  release(bytes: number): void {
    this.#change(-bytes - recordOverhead);
  }

  /** Returns all bytes to the budget. */
  leave(): void {
    this.#budget.remove(this);
  }

  #change(bytes: number): void {
    const before = this.held;
    this.held += bytes;
    this.#budget.changed(before, this.held);
  }
}

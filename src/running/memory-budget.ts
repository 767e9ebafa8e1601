/** In bytes, for the objects that hold a record until it is settled. */
const recordOverhead = 500;

/**
 * Memory for the unsettled records of all partitions of a run. Half of it is reserved, in equal parts for the
 * partitions; the rest is common, and each partition takes of it what it needs. When it is used up, until half of it is
 * free again, each takes no more than its reserve. So the partitions together hold no more than the budget and one record
 * each, and none can starve another.
 */
export class MemoryBudget {
  readonly #bytes: number;
  readonly #shares = new Set<MemoryShare>();
  /** Partitions of the assignment, with a share or without one yet. */
  #assigned = 1;
  #reserve = 0;
  /** Each partition counts with its reserve, or with what it holds if that is more. */
  #charged = 0;
  #isTight = false;
  #hasRelaxed = false;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#divide();
  }

  /** Bytes that each partition may hold at any time. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Whether partitions may take no more than their reserves. */
  get isTight(): boolean {
    return this.#isTight;
  }

  /** Reserves for so many partitions, before the first share of an assignment. */
  divideBy(assigned: number): void {
    this.#assigned = assigned;
    this.#divide();
  }

  /** `room` is called when partitions may take more than their reserves again. */
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

  /** A share holds another number of bytes. */
  changed(before: number, after: number): void {
    this.#charge(this.#charged + Math.max(after, this.#reserve) - Math.max(before, this.#reserve));
  }

  /** Calls those that may have waited for it. */
  tellRoom(): void {
    if (!this.#hasRelaxed) return;
    this.#hasRelaxed = false;
    for (const share of this.#shares) share.room();
  }

  #divide(): void {
    const partitions = Math.max(this.#assigned, this.#shares.size, 1);
    this.#reserve = this.#bytes / 2 / partitions;
    let charged = (partitions - this.#shares.size) * this.#reserve;
    for (const { held } of this.#shares) charged += Math.max(held, this.#reserve);
    this.#charge(charged);
  }

  #charge(charged: number): void {
    this.#charged = charged;
    if (charged >= this.#bytes) this.#isTight = true;
    else if (this.#isTight && charged <= this.#bytes * 0.75) {
      this.#isTight = false;
      this.#hasRelaxed = true;
    }
  }
}

/** The part of the budget that one partition holds. */
export class MemoryShare {
  readonly room: () => void;
  readonly #budget: MemoryBudget;
  #held = 0;

  constructor(budget: MemoryBudget, room: () => void) {
    this.#budget = budget;
    this.room = room;
  }

  /** In bytes. */
  get held(): number {
    return this.#held;
  }

  /** 1 is full; 0 as long as there is memory for all. */
  get used(): number {
    return this.#budget.isTight ? this.#held / this.#budget.reserve : 0;
  }

  /** Checked before a record is taken, so one that is larger than the budget still passes. */
  get isFull(): boolean {
    return this.used >= 1;
  }

  /** Half empty again. */
  get hasRoom(): boolean {
    return this.used <= 0.5;
  }

  take(bytes: number): void {
    this.#change(bytes + recordOverhead);
  }

  release(bytes: number): void {
    this.#change(-bytes - recordOverhead);
  }

  /** Gives back everything. */
  leave(): void {
    this.#budget.remove(this);
  }

  #change(bytes: number): void {
    const before = this.#held;
    this.#held += bytes;
    this.#budget.changed(before, this.#held);
  }
}

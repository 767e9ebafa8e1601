/** The budget of the search is spent: what has begun is given up. */
export class BudgetSpent extends Error {}

export class Budget {
  /** Time of `performance.now()` at which the search ends. The baseline has no limit. */
  deadline: number;

  constructor(deadline = Infinity) {
    this.deadline = deadline;
  }

  /** Milliseconds until then. */
  get left(): number {
    return Math.max(0, this.deadline - performance.now());
  }

  get isSpent(): boolean {
    return this.left === 0;
  }

  /** @throws BudgetSpent */
  require(): void {
    if (this.isSpent) throw new BudgetSpent();
  }
}

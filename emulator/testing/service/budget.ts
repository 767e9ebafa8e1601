/** The budget of the search is spent: what has begun is given up. */
export class BudgetSpent extends Error {}

/** The time of the search. */
export class Budget {
  /** Time of `performance.now()` at which the search ends. The baseline has no limit. */
  deadline = Infinity;

  get isSpent(): boolean {
    return this.isSpentIn(0);
  }

  isSpentIn(milliseconds: number): boolean {
    return performance.now() + milliseconds > this.deadline;
  }

  /** @throws BudgetSpent */
  require(): void {
    if (this.isSpent) throw new BudgetSpent();
  }
}

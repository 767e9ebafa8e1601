export class OutcomeCount {
  /** Counts by scenario, branch and outcome: `house-move occupier=unknown`. */
  readonly counts = new Map<string, number>();
  readonly #names = new Map<string, Map<string, Map<string, string>>>();

  add(scenario: string, decisions: Readonly<Record<string, string>>): void {
    for (const branch in decisions) {
      const name = this.#nameOf(scenario, branch, decisions[branch] as string);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  /** Makes each name once: making it takes longer than counting, which each start does. */
  #nameOf(scenario: string, branch: string, outcome: string): string {
    let branches = this.#names.get(scenario);
    if (branches === undefined)
      this.#names.set(scenario, (branches = new Map<string, Map<string, string>>()));
    let outcomes = branches.get(branch);
    if (outcomes === undefined) branches.set(branch, (outcomes = new Map<string, string>()));
    let name = outcomes.get(outcome);
    if (name === undefined) outcomes.set(outcome, (name = `${scenario} ${branch}=${outcome}`));
    return name;
  }
}

/** Counts and values of a world, as an outsider has seen them, by name. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #values = new Map<string, number[]>();

  add(name: string, by: number | boolean = 1): void {
    this.#counts.set(name, this.count(name) + Number(by));
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Keeps a value: a few for each account. */
  keep(name: string, value: number): void {
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
  }

  values(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns the counts with a prefix, by the rest of their names. */
  group(prefix: string): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].flatMap(([name, count]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), count] as const] : [],
    );
  }
}

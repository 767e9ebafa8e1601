/** Default number of entities that an invariant remembers at least. */
const remembered = 100_000;

/**
 * A map that remembers the most recently used entities, and at most twice as many. It forgets the others at once, because
 * a `Map` takes long to find its oldest key. Forgetting is safe: an unknown entity may have existed before the stream.
 */
export class BoundedMap<Value> {
  /** Entities used since the others were forgotten. */
  #recent = new Map<string, Value>();
  /** Entities last used before. */
  #earlier = new Map<string, Value>();
  readonly #least: number;

  /** @param least Number of the most recently used entities that it always remembers, from 1. */
  constructor(least = remembered) {
    this.#least = least;
  }

  get(id: string): Value | undefined {
    const recent = this.#recent.get(id);
    if (recent !== undefined) return recent;
    const earlier = this.#earlier.get(id);
    if (earlier !== undefined) this.set(id, earlier);
    return earlier;
  }

  set(id: string, value: Value): void {
    this.#earlier.delete(id);
    this.#recent.set(id, value);
    if (this.#recent.size <= this.#least) return;
    this.#recent.delete(id);
    this.#earlier = this.#recent;
    this.#recent = new Map([[id, value]]);
  }

  forget(id: string): void {
    this.#recent.delete(id);
    this.#earlier.delete(id);
  }

  entries(): Iterable<[id: string, value: Value]> {
    return new Map([...this.#earlier, ...this.#recent]);
  }
}

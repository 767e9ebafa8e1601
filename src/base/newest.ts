/**
 * A map of the newest keys: a key beyond the bound drops the oldest. A key that is set again keeps its age. Dropping
 * takes constant time. In a `Map`, finding the first key takes a step for each entry deleted before it.
 */
export class Newest<Key, Value> {
  readonly #max: number;
  readonly #values = new Map<Key, Value>();
  /** Keys in order of age; those before `#first` were dropped. */
  #keys: Key[] = [];
  #first = 0;

  /** @param max Maximum number of keys, from 1. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    if (!this.#values.has(key)) this.#keys.push(key);
    this.#values.set(key, value);
    if (this.size > this.#max) this.#drop();
  }

  /** Drops the oldest key until `isOver` returns false for its value. */
  dropWhile(isOver: (value: Value) => boolean): void {
    while (this.size > 0 && isOver(this.#values.get(this.#keys[this.#first] as Key) as Value)) this.#drop();
  }

  #drop(): void {
    this.#values.delete(this.#keys[this.#first] as Key);
    this.#first += 1;
    if (this.#first * 2 <= this.#keys.length) return;
    this.#keys = this.#keys.slice(this.#first);
    this.#first = 0;
  }
}

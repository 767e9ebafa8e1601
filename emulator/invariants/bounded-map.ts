/** Default capacity: entities that an invariant remembers. */
const capacity = 100_000;

/**
 * A map that evicts the least recently used entity beyond its capacity. Eviction is safe: an unknown entity may have
 * existed before the stream.
 */
export class BoundedMap<Value> {
  private readonly values = new Map<string, Value>();
  private readonly capacity: number;

  constructor(size = capacity) {
    this.capacity = size;
  }

  get(id: string): Value | undefined {
    const value = this.values.get(id);
    if (value !== undefined) this.set(id, value);
    return value;
  }

  set(id: string, value: Value): void {
    const { values } = this;
    values.delete(id);
    values.set(id, value);
    if (values.size <= this.capacity) return;
    for (const oldest of values.keys()) {
      values.delete(oldest);
      return;
    }
  }

  forget(id: string): void {
    this.values.delete(id);
  }

  entries(): Iterable<[id: string, value: Value]> {
    return this.values;
  }
}

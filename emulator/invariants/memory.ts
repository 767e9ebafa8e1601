/** Entities that an invariant remembers at once. */
const capacity = 100_000;

/**
 * What is known of each entity, for as many as fit; then the one that nothing was heard of for longest is forgotten.
 * That is safe: an entity that is not known may have existed at the start of the stream.
 */
export class Memory<Value> {
  private readonly values = new Map<string, Value>();
  private readonly capacity: number;

  constructor(most = capacity) {
    this.capacity = most;
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

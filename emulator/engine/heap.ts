/** A binary heap: the smallest element first, by the order given. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items, before } = this;
    let hole = items.length;
    items.push(item);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = items[parent] as T;
      if (!before(item, above)) break;
      items[hole] = above;
      hole = parent;
    }
    items[hole] = item;
  }

  pop(): T | undefined {
    const { items, before } = this;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let hole = 0;
    for (let child = 1; child < items.length; child = 2 * hole + 1) {
      if (child + 1 < items.length && before(items[child + 1] as T, items[child] as T)) child++;
      const below = items[child] as T;
      if (!before(below, last)) break;
      items[hole] = below;
      hole = child;
    }
    items[hole] = last;
    return first;
  }
}

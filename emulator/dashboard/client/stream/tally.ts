import { sentAt, type StreamEvent } from './stream-event.js';

/** Counts of the events in one interval of virtual time. */
export interface Bin {
  readonly byDomain: Map<string, number>;
  faults: number;
}

const maxBins = 240;

/** Counts of received events in consecutive intervals of the run, which widen as it grows. */
export class Tally {
  /** Width of each bin, in milliseconds. */
  width = 3_600_000;
  /** Start of the first bin. */
  first: number | undefined;
  list: Bin[] = [];

  add(events: readonly StreamEvent[], domainOf: (event: StreamEvent) => string): void {
    for (const event of events) {
      const bin = this.#at(sentAt(event));
      count(bin.byDomain, domainOf(event));
      bin.faults += event.about.faults.length;
    }
  }

  /** Returns the bin of an instant; the oldest bin for earlier instants. */
  #at(instant: number): Bin {
    const first = (this.first ??= Math.floor(instant / this.width) * this.width);
    const index = () => Math.max(0, Math.floor((instant - first) / this.width));
    while (index() >= maxBins) this.#widen();
    while (this.list.length <= index()) this.list.push(empty());
    return this.list[index()] ?? empty();
  }

  #widen(): void {
    const list: Bin[] = [];
    for (let index = 0; index < this.list.length; index += 2) {
      list.push(sum(this.list[index] ?? empty(), this.list[index + 1] ?? empty()));
    }
    this.list = list;
    this.width *= 2;
  }
}

function empty(): Bin {
  return { byDomain: new Map(), faults: 0 };
}

function sum({ byDomain, faults }: Bin, other: Bin): Bin {
  for (const [name, times] of other.byDomain) count(byDomain, name, times);
  return { byDomain, faults: faults + other.faults };
}

function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

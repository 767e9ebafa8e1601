import { sentAt, type StreamEvent } from './stream-event.js';

/** Counts of the events in one interval of virtual time. */
export interface Bin {
  readonly byDomain: Map<string, number>;
  faults: number;
}

const maxBins = 240;

/** Counts of received events in intervals of virtual time, which widen as the run grows. */
export class Tally {
  /** Width of each bin, in milliseconds. */
  width = 3_600_000;
  /** Bins with events, by their start. */
  bins = new Map<number, Bin>();

  add(events: readonly StreamEvent[], domainOf: (event: StreamEvent) => string): void {
    for (const event of events) {
      const bin = this.#at(sentAt(event));
      count(bin.byDomain, domainOf(event), 1);
      bin.faults += event.about.faults.length;
    }
    while (this.bins.size > maxBins) this.#widen();
  }

  #at(instant: number): Bin {
    const start = Math.floor(instant / this.width) * this.width;
    const bin = this.bins.get(start) ?? { byDomain: new Map(), faults: 0 };
    this.bins.set(start, bin);
    return bin;
  }

  #widen(): void {
    const { bins } = this;
    this.width *= 2;
    this.bins = new Map();
    for (const [start, { byDomain, faults }] of bins) {
      const bin = this.#at(start);
      for (const [name, times] of byDomain) count(bin.byDomain, name, times);
      bin.faults += faults;
    }
  }
}

export function count(counts: Map<string, number>, name: string, times: number): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

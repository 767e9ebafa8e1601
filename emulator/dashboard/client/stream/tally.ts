import { sentAt, type StreamEvent } from './stream-event.js';

/** Counts of the events in one interval. */
export interface Bin {
  readonly byDomain: Map<string, number>;
  readonly byFault: Map<string, number>;
  /** Longest delay from sending to the dashboard, in milliseconds of wall time; undefined without live events. */
  delay: number | undefined;
}

/** Counts of received events by time, of bounded size. */
export class Tally {
  /** Counts by wall time: the last five minutes, in seconds. */
  readonly recent = new Bins(1_000, 300, 'forget');
  /** Counts by virtual time: the whole run, in bins that widen as it grows. */
  readonly virtual = new Bins(3_600_000, 240, 'widen');

  add(
    events: readonly StreamEvent[],
    domainOf: (event: StreamEvent) => string,
    now: number,
    since: number,
  ): void {
    for (const event of events) {
      const { about, timestamp } = event;
      const domain = domainOf(event);
      const bins = [this.recent.at(timestamp), this.virtual.at(sentAt(event))];
      for (const bin of bins) {
        count(bin.byDomain, domain);
        for (const fault of about.faults) count(bin.byFault, fault);
        // An event from before the dashboard was opened has no delay.
        if (timestamp >= since) bin.delay = Math.max(bin.delay ?? 0, now - timestamp);
      }
    }
  }
}

/** Consecutive intervals of one width, the oldest first. */
export class Bins {
  /** Width of each bin, in milliseconds. */
  width: number;
  /** Start of the first bin. */
  first: number | undefined;
  list: Bin[] = [];
  readonly #most: number;
  readonly #whenFull: 'forget' | 'widen';

  constructor(width: number, most: number, whenFull: 'forget' | 'widen') {
    this.width = width;
    this.#most = most;
    this.#whenFull = whenFull;
  }

  /** Returns the bin of an instant; the oldest bin for earlier instants. */
  at(instant: number): Bin {
    this.first ??= Math.floor(instant / this.width) * this.width;
    let index = Math.max(0, Math.floor((instant - this.first) / this.width));
    while (index >= this.#most) {
      if (this.#whenFull === 'widen') this.#widen();
      else this.#forget(index - this.#most + 1);
      index = Math.floor((instant - this.first) / this.width);
    }
    while (this.list.length <= index) this.list.push(empty());
    return this.list[index] ?? empty();
  }

  #widen(): void {
    const list: Bin[] = [];
    for (let index = 0; index < this.list.length; index += 2) {
      list.push(sum(this.list[index] ?? empty(), this.list[index + 1] ?? empty()));
    }
    this.list = list;
    this.width *= 2;
  }

  #forget(bins: number): void {
    this.list = this.list.slice(bins);
    this.first = (this.first ?? 0) + bins * this.width;
  }
}

function empty(): Bin {
  return { byDomain: new Map(), byFault: new Map(), delay: undefined };
}

function sum(one: Bin, other: Bin): Bin {
  const { byDomain, byFault } = one;
  for (const [name, times] of other.byDomain) count(byDomain, name, times);
  for (const [name, times] of other.byFault) count(byFault, name, times);
  const delays = [one.delay, other.delay].filter((delay) => delay !== undefined);
  return { byDomain, byFault, delay: delays.length === 0 ? undefined : Math.max(...delays) };
}

function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}

import { sentAt, type StreamEvent } from './stream-event.js';

/** What came in a stretch of time. */
export interface Bin {
  readonly byDomain: Map<string, number>;
  readonly byFault: Map<string, number>;
  /** The longest that an event was on the way to this page, in milliseconds of the wall clock; undefined where none came live. */
  delay: number | undefined;
}

/** Counts of what has come, by time; bounded, however much comes. */
export class Tally {
  /** By the wall clock: the last minutes, second by second. */
  readonly recent = new Bins(1_000, 300, 'forget');
  /** By virtual time: the whole run, in wider bins the longer it gets. */
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
        // What was sent before this page was there has not been on the way since.
        if (timestamp >= since) bin.delay = Math.max(bin.delay ?? 0, now - timestamp);
      }
    }
  }
}

/** Stretches of time of one width, the oldest first, without holes. */
export class Bins {
  /** Milliseconds. */
  width: number;
  /** Where the first begins. */
  first: number | undefined;
  list: Bin[] = [];
  readonly #most: number;
  readonly #whenFull: 'forget' | 'widen';

  constructor(width: number, most: number, whenFull: 'forget' | 'widen') {
    this.width = width;
    this.#most = most;
    this.#whenFull = whenFull;
  }

  /** The bin of an instant. What is older than all there is counts for the oldest. */
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

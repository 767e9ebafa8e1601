import type { StreamEvent } from './stream-event.js';

/** The newest events, up to a number of events and of characters. Older events are dropped. */
export class RecentEvents {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  /** Events, those before `#start` dropped. The list is cut after many drops. */
  #events: StreamEvent[] = [];
  #start = 0;
  #characters = 0;

  constructor(maxEvents: number, maxCharacters: number) {
    this.#maxEvents = maxEvents;
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#events.length - this.#start;
  }

  /** Returns an event by index; the oldest is 0. */
  at(index: number): StreamEvent | undefined {
    return index < 0 ? undefined : this.#events[this.#start + index];
  }

  add(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.line.length;
    }
    while (this.size > this.#maxEvents || (this.#characters > this.#maxCharacters && this.size > 1)) {
      this.#characters -= this.#events[this.#start]?.line.length ?? 0;
      this.#start++;
    }
    if (this.#start > this.#maxEvents / 4 || this.#start > this.size) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  clear(): void {
    this.#events = [];
    this.#start = 0;
    this.#characters = 0;
  }

  /** Returns a copy of the list, the oldest event first. */
  snapshot(): readonly StreamEvent[] {
    return this.#events.slice(this.#start);
  }

  find(number: number): StreamEvent | undefined {
    return this.at(indexOf(number, this.size, (index) => this.at(index)));
  }
}

/** Returns the index of a number in a list of rising numbers; -1 if it is missing. */
export function indexOf(
  number: number,
  size: number,
  at: (index: number) => StreamEvent | undefined,
): number {
  let [low, high] = [0, size - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = at(middle)?.number ?? 0;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

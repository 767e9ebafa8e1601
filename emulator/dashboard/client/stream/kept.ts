import type { StreamEvent } from './stream-event.js';

/** The newest events, bounded in number and in text: what is older is forgotten, however long the page stays open. */
export class Kept {
  readonly #mostEvents: number;
  readonly #mostCharacters: number;
  /** Those before `#start` are forgotten; the list is cut when they are many. */
  #events: StreamEvent[] = [];
  #start = 0;
  #characters = 0;

  constructor(mostEvents: number, mostCharacters: number) {
    this.#mostEvents = mostEvents;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#events.length - this.#start;
  }

  /** Counted from the oldest, 0. */
  at(index: number): StreamEvent | undefined {
    return index < 0 ? undefined : this.#events[this.#start + index];
  }

  add(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.line.length;
    }
    while (this.size > this.#mostEvents || (this.#characters > this.#mostCharacters && this.size > 1)) {
      this.#characters -= this.#events[this.#start]?.line.length ?? 0;
      this.#start++;
    }
    if (this.#start > this.#mostEvents / 4 || this.#start > this.size) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  clear(): void {
    this.#events = [];
    this.#start = 0;
    this.#characters = 0;
  }

  /** All of them, oldest first, as they are now. */
  snapshot(): readonly StreamEvent[] {
    return this.#events.slice(this.#start);
  }

  /** The one with that number in the stream; numbers grow. */
  find(number: number): StreamEvent | undefined {
    let [low, high] = [0, this.size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const event = this.at(middle);
      if (event === undefined || event.number === number) return event;
      if (event.number < number) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

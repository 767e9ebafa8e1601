import type { StreamEvent } from './stream-event.js';

const maxEvents = 20_000;
const maxCharacters = 64 * 1024 * 1024;

/** The newest events, up to a number of events and of characters. Older events are dropped. */
export class RecentEvents {
  /** The events, the oldest first. */
  readonly list: StreamEvent[] = [];
  #characters = 0;

  add(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.list.push(event);
      this.#characters += event.line.length;
    }
    const { length } = this.list;
    let dropped = 0;
    while (length - dropped > maxEvents || (this.#characters > maxCharacters && length - dropped > 1)) {
      this.#characters -= this.list[dropped]?.line.length ?? 0;
      dropped++;
    }
    this.list.splice(0, dropped);
  }
}

/** Returns the index of a number in a list of rising numbers; -1 if it is missing. */
export function indexOf(events: readonly StreamEvent[], number: number): number {
  let [low, high] = [0, events.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = events[middle]?.number ?? 0;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

export function eventIn(events: readonly StreamEvent[], number: number): StreamEvent | undefined {
  return events[indexOf(events, number)];
}

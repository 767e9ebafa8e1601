import { effect, signal } from '@preact/signals';
import { place } from '../place.js';
import { Feed } from '../stream/feed.js';
import type { StreamEvent } from '../stream/stream-event.js';

/** The stream through the filter in the address; another filter is another feed. */
export const liveFeed = signal(new Feed(place.peek().filter));

/** What the list shows while it stands still: events as they were, however much comes in meanwhile. */
export interface Held {
  readonly events: readonly StreamEvent[];
  /** How many had come when it was held. */
  readonly received: number;
  /** By hand, so that scrolling back to the top does not let it go. */
  readonly byHand: boolean;
}

export const held = signal<Held | undefined>(undefined);

export function hold(byHand: boolean): void {
  const feed = liveFeed.peek();
  if (held.peek() === undefined) {
    held.value = { events: feed.kept.snapshot(), received: feed.counts.received, byHand };
  } else if (byHand) held.value = { ...(held.peek() as Held), byHand };
}

export function release(): void {
  held.value = undefined;
}

let filtered = JSON.stringify(place.peek().filter);
effect(() => {
  const { filter } = place.value;
  const wanted = JSON.stringify(filter);
  if (wanted === filtered) return;
  filtered = wanted;
  liveFeed.peek().close();
  held.value = undefined;
  liveFeed.value = new Feed(filter);
});

// What was held belongs to an emulator that is gone.
effect(() => {
  if (liveFeed.value.restarts.value > 0) held.value = undefined;
});

/** An event that is kept, or stands in the list that is held. */
export function findEvent(number: number): StreamEvent | undefined {
  return liveFeed.value.kept.find(number) ?? held.value?.events.find((event) => event.number === number);
}

import { effect, signal } from '@preact/signals';
import { viewRoute, go } from '../view-route.js';
import { filteredFeed } from '../stream/main-feed.js';
import { eventIn } from '../stream/recent-events.js';
import type { StreamEvent } from '../stream/stream-event.js';

/** The events that match the filter of the route. */
export const liveFeed = filteredFeed(() => viewRoute.value.filter);

/** The events of a paused list. */
export interface Held {
  readonly events: readonly StreamEvent[];
  /** Number of received events at the pause. */
  readonly received: number;
  /** Whether the user paused the list explicitly: then scrolling to the top does not resume it. */
  readonly byHand: boolean;
}

export const held = signal<Held | undefined>(undefined);

export function hold(byHand: boolean): void {
  const feed = liveFeed.peek();
  if (held.peek() === undefined) {
    held.value = { events: [...feed.kept.list], received: feed.counts.received, byHand };
  } else if (byHand) held.value = { ...(held.peek() as Held), byHand };
}

export function release(): void {
  held.value = undefined;
}

/** Resumes the list, unless an event is open or the user paused it explicitly. */
export function follow(): void {
  if (held.peek()?.byHand === false && viewRoute.peek().event === undefined) release();
}

// The paused list belongs to a former filter, emulator or run.
effect(() => {
  if (liveFeed.value.restarts.value >= 0) held.value = undefined;
});

/** Returns an event of the feed or the paused list. */
export function findEvent(number: number): StreamEvent | undefined {
  return eventIn(liveFeed.value.kept.list, number) ?? eventIn(held.value?.events ?? [], number);
}

/** Opens an event next to the list, and pauses the list. */
export function openEvent(number: number): void {
  hold(false);
  go({ event: number }, viewRoute.value.event === undefined ? 'push' : 'replace');
}

/** Opens the next older (1) or newer (-1) event; the newest if none is open. */
export function moveSelection(by: 1 | -1): void {
  hold(false);
  const events = held.value?.events ?? [];
  const { event } = viewRoute.value;
  const index = event === undefined ? -1 : events.findIndex(({ number }) => number === event);
  const next = index === -1 ? events.at(-1) : events[index - by];
  if (next !== undefined) openEvent(next.number);
}

import { effect, signal } from '@preact/signals';
import type { StreamFilter } from 'busbar/internal/websocket-protocol';
import { viewRoute } from '../view-route.js';
import { Feed } from '../stream/feed.js';
import { mainFeed } from '../stream/main-feed.js';
import type { StreamEvent } from '../stream/stream-event.js';

/** The events that match the filter of the route. Another filter opens another feed. */
export const liveFeed = signal(feedOf(viewRoute.peek().filter));

function feedOf(filter: StreamFilter): Feed {
  return Object.keys(filter).length === 0 ? mainFeed : new Feed(filter);
}

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
    held.value = { events: feed.kept.snapshot(), received: feed.counts.received, byHand };
  } else if (byHand) held.value = { ...(held.peek() as Held), byHand };
}

export function release(): void {
  held.value = undefined;
}

let filtered = JSON.stringify(viewRoute.peek().filter);
effect(() => {
  const { filter } = viewRoute.value;
  const next = JSON.stringify(filter);
  if (next === filtered) return;
  filtered = next;
  if (liveFeed.peek() !== mainFeed) liveFeed.peek().close();
  held.value = undefined;
  liveFeed.value = feedOf(filter);
});

// The paused list belongs to a former emulator or run.
effect(() => {
  if (liveFeed.value.restarts.value > 0) held.value = undefined;
});

/** Returns an event of the feed or the paused list. */
export function findEvent(number: number): StreamEvent | undefined {
  return liveFeed.value.kept.find(number) ?? held.value?.events.find((event) => event.number === number);
}

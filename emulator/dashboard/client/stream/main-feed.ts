import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { StreamFilter } from 'busbar/internal/websocket-protocol';
import { Feed } from './feed.js';

/** All events, and the state of the run. */
export const mainFeed = new Feed({});

export const isLost = computed(() => mainFeed.state.value === 'lost');

/** Returns the feed of a filter that may change; without a filter, that of all events. Another filter opens another feed. */
export function filteredFeed(filterOf: () => StreamFilter): ReadonlySignal<Feed> {
  let open = '{}';
  const feed = signal(mainFeed);
  effect(() => {
    const filter = filterOf();
    const next = JSON.stringify(filter);
    if (next === open) return;
    open = next;
    const former = feed.peek();
    if (former !== mainFeed) former.close();
    feed.value = next === '{}' ? mainFeed : new Feed(filter);
  });
  return feed;
}

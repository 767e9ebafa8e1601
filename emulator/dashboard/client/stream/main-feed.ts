import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { StreamFilter } from 'busbar/internal/websocket-protocol';
import { restarts } from '../requests.js';
import { Feed } from './feed.js';
import { sentAt } from './stream-event.js';

/** All events, and the state of the run. */
export const mainFeed = new Feed({}, restarts);

export const isLost = computed(() => mainFeed.state.value === 'lost');

/** Returns when the first record after the missed ones was sent. The feed of all events knows, even if none matches. */
export function goneThrough({ missedThrough }: Feed): number {
  if (missedThrough === 0) return 0;
  const next = mainFeed.kept.list.find(({ number }) => number > missedThrough);
  return next === undefined ? 0 : sentAt(next);
}

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

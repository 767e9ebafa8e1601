import { effect, signal } from '@preact/signals';
import { viewRoute } from '../view-route.js';
import { Feed } from '../stream/feed.js';

/** The sent events of one customer. */
export interface JourneyFeed {
  readonly customer: number;
  readonly feed: Feed;
}

export const journeyFeed = signal<JourneyFeed | undefined>(undefined);

effect(() => {
  const { view, customer } = viewRoute.value;
  const shown = view === 'journeys' ? customer : undefined;
  const current = journeyFeed.peek();
  if (shown === current?.customer) return;
  current?.feed.close();
  journeyFeed.value = shown === undefined ? undefined : { customer: shown, feed: new Feed({ cell: shown }) };
});

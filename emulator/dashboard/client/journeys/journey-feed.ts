import { effect, signal } from '@preact/signals';
import type { CellTimeline } from '../../../run/cell-timeline.js';
import { getJson, throttle } from '../requests.js';
import { viewRoute } from '../view-route.js';
import { Feed } from '../stream/feed.js';

/** The sent events of one customer. */
export interface JourneyFeed {
  readonly customer: number;
  readonly feed: Feed;
}

export const journeyFeed = signal<JourneyFeed | undefined>(undefined);
/** The timeline of the customer: past and expected events. */
export const timeline = signal<CellTimeline | undefined>(undefined);

effect(() => {
  const { view, customer } = viewRoute.value;
  const shown = view === 'journeys' ? customer : undefined;
  const current = journeyFeed.peek();
  if (shown === current?.customer) return;
  current?.feed.close();
  timeline.value = undefined;
  journeyFeed.value = shown === undefined ? undefined : { customer: shown, feed: new Feed({ cell: shown }) };
});

// At most every 250 ms: for each request the emulator plays the customer's cell again.
const refresh = throttle(async () => {
  const customer = journeyFeed.peek()?.customer;
  if (customer === undefined) return;
  const found = await getJson<CellTimeline>(`/dashboard/course/${customer}`);
  if (journeyFeed.peek()?.customer === customer) timeline.value = found;
}, 250);

effect(() => {
  if (journeyFeed.value === undefined) return;
  journeyFeed.value.feed.follow();
  void refresh();
});

import { effect, signal } from '@preact/signals';
import type { Course } from '../../../run/course.js';
import { getJson } from '../catalogue.js';
import { place } from '../place.js';
import { Feed } from '../stream/feed.js';

/** All that is sent about one customer, and the course that it was to take. */
export interface JourneyFeed {
  readonly customer: number;
  readonly feed: Feed;
}

export const journeyFeed = signal<JourneyFeed | undefined>(undefined);
export const course = signal<Course | undefined>(undefined);

effect(() => {
  const { view, customer } = place.value;
  const wanted = view === 'journeys' ? customer : undefined;
  const current = journeyFeed.peek();
  if (wanted === current?.customer) return;
  current?.feed.close();
  course.value = undefined;
  journeyFeed.value =
    wanted === undefined ? undefined : { customer: wanted, feed: new Feed({ cell: wanted }) };
});

let asking = false;
let isStale = false;

/** Asks how the journey goes on whenever something came, and never twice at a time. */
async function follow(customer: number): Promise<void> {
  if (asking) {
    isStale = true;
    return;
  }
  asking = true;
  isStale = false;
  const found = await getJson<Course>(`/dashboard/course/${customer}`);
  asking = false;
  if (journeyFeed.peek()?.customer === customer) course.value = found;
  const now = journeyFeed.peek()?.customer;
  if ((isStale || now !== customer) && now !== undefined) void follow(now);
}

effect(() => {
  const journey = journeyFeed.value;
  if (journey === undefined) return;
  void journey.feed.version.value;
  void follow(journey.customer);
});

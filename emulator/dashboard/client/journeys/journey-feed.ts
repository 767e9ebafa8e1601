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

let isAsking = false;
let isStale = false;

/** Milliseconds between two questions: each has the emulator play the customer's life again. */
const pause = 250;

/** Asks how the journey goes on whenever something came, and never twice at a time. */
async function follow(): Promise<void> {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  while (isStale) {
    isStale = false;
    const customer = journeyFeed.peek()?.customer;
    if (customer === undefined) break;
    const found = await getJson<Course>(`/dashboard/course/${customer}`);
    if (journeyFeed.peek()?.customer === customer) course.value = found;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  isAsking = false;
}

effect(() => {
  journeyFeed.value?.feed.follow();
  void follow();
});

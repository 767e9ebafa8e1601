import { filteredFeed } from '../stream/main-feed.js';
import { spanOf, viewRoute } from '../view-route.js';

/** The events of the shown customer; without one, those in the chosen span of time. */
export const journeyFeed = filteredFeed(() => {
  const { view, customer, filter } = viewRoute.value;
  if (view !== 'journeys') return {};
  return customer === undefined ? spanOf(filter) : { cell: customer };
});

import { count } from '../instants.js';
import { held, liveFeed, release } from './live-feed.js';

/** A button that resumes a paused list, with the number of new events. */
export function FollowButton() {
  const feed = liveFeed.value;
  feed.follow();
  const still = held.value;
  if (still === undefined) return null;
  const fresh = feed.counts.received - still.received;
  return (
    <button type="button" class="fresh" onClick={release} data-testid="fresh">
      {fresh > 0 ? `${count(fresh)} new` : 'Paused'} <span aria-hidden="true">↑</span>
    </button>
  );
}

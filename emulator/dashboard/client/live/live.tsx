import { EmptyState } from '../shell/empty-state.js';
import { EventPanel } from '../event/event-panel.js';
import { count } from '../instants.js';
import { go, place } from '../place.js';
import { EventList } from './event-list.js';
import { FilterBar } from './filter-bar.js';
import { findEvent, liveFeed } from './live-feed.js';
import { closeEvent } from './selection.js';

/** All that is sent, as it is sent. */
export function Live() {
  const feed = liveFeed.value;
  feed.follow();
  const { event: number, filter } = place.value;
  const isEmpty = feed.kept.size === 0;
  const event = number === undefined ? undefined : findEvent(number);
  return (
    <div class={number === undefined ? 'split' : 'split with-panel'}>
      <section class="pane" aria-label="Live events">
        <FilterBar />
        {feed.counts.missed > 0 && (
          <p class="notice" role="status" data-testid="missed">
            {count(feed.counts.missed)} earlier events are no longer kept by the emulator, and not shown here.
          </p>
        )}
        {isEmpty ? (
          <Nothing state={feed.state.value} isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <EventList />
        )}
      </section>
      {number !== undefined && <EventPanel number={number} event={event} feed={feed} close={closeEvent} />}
    </div>
  );
}

function Nothing({ state, isFiltered }: { readonly state: string; readonly isFiltered: boolean }) {
  if (state === 'lost') {
    return (
      <EmptyState title="The emulator does not answer" command="npx emulate --scenario house-move">
        It has been stopped, or was never started. Start it; this page connects by itself.
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title="No event fits this filter yet">
        The emulator looks at every event it sends. What fits appears here at once.
        <button type="button" onClick={() => go({ filter: {} }, 'replace')}>
          Show all events
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing has been sent yet" command="npx emulate --scenario house-move">
      The run is waiting to begin, or has nothing to send. This is how a run with events is started:
    </EmptyState>
  );
}

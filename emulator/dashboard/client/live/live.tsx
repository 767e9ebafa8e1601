import { EmptyState, NotConnected } from '../shell/empty-state.js';
import { EventPanel } from '../event/event-panel.js';
import { counted } from '../instants.js';
import { Start } from '../start/start.js';
import { go, viewRoute } from '../view-route.js';
import { EventList } from './event-list.js';
import { FilterBar } from './filter-bar.js';
import { findEvent, liveFeed } from './live-feed.js';
import './live.css';

/** The live view: all events as they are sent. */
export function Live() {
  const feed = liveFeed.value;
  feed.follow();
  const { event: number, filter } = viewRoute.value;
  const isEmpty = feed.kept.list.length === 0;
  const event = number === undefined ? undefined : findEvent(number);
  return (
    <div class={number === undefined ? 'split' : 'split with-panel'}>
      <section class="pane live" aria-label="Live events">
        <FilterBar />
        {feed.counts.missed > 0 && (
          <p class="notice" role="status" data-testid="missed">
            {counted(feed.counts.missed, 'event')} missing. The emulator no longer has them.
          </p>
        )}
        {isEmpty ? (
          <Nothing state={feed.state.value} isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <EventList />
        )}
      </section>
      {number !== undefined && <EventPanel number={number} event={event} feed={feed} />}
    </div>
  );
}

function Nothing({ state, isFiltered }: { readonly state: string; readonly isFiltered: boolean }) {
  if (state === 'lost') return <NotConnected />;
  if (isFiltered) {
    return (
      <EmptyState title="No event matches this filter yet">
        Matching events appear here as soon as the emulator sends them.
        <button type="button" onClick={() => go({ filter: {} }, 'replace')}>
          Show all events
        </button>
      </EmptyState>
    );
  }
  return <Start />;
}

import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { ensureLanguage } from '../charts/language.js';
import { consumers } from '../consumers/consumers-state.js';
import { count, dateAndTime, noun } from '../instants.js';
import { Journeys } from '../journeys/journeys.js';
import { Live } from '../live/live.js';
import { liveFeed } from '../live/live-feed.js';
import { viewRoute, type View as ViewName, views } from '../view-route.js';
import { Run } from '../run/run.js';
import { Help } from './help.js';
import { listenForKeys } from './keyboard.js';
import { lazy } from './lazy.js';
import { Link } from './link.js';

// Other views load on demand, so that the first one appears sooner.
const World = lazy(async () => (await import('../world/world.js')).World);
const Compose = lazy(async () => (await import('../compose/compose.js')).Compose);
const Consumers = lazy(async () => (await import('../consumers/consumers.js')).Consumers);
const Charts = lazy(async () => {
  ensureLanguage();
  return (await import('../charts/charts.js')).Charts;
});

const shown: Readonly<Record<ViewName, readonly [title: string, View: ComponentType]>> = {
  live: ['Live', Live],
  journeys: ['Journeys', Journeys],
  world: ['World', World],
  compose: ['Compose', Compose],
  run: ['Run', Run],
  consumers: ['Consumers', Consumers],
  charts: ['Charts', Charts],
};

export function App() {
  const showsHelp = useSignal(false);
  useEffect(() => listenForKeys(showsHelp), []);
  useEffect(consumers.watch, []);
  const { view } = viewRoute.value;
  const [, View] = shown[view];
  return (
    <>
      <header class="top">
        <h1>Busbar</h1>
        <nav aria-label="Views">
          {views.map((each) => (
            <Link
              key={each}
              to={{ view: each, event: undefined }}
              aria-current={each === view ? 'page' : undefined}
            >
              {shown[each][0]}
            </Link>
          ))}
        </nav>
        <Status />
        <button type="button" class="help-button" aria-label="Keys" onClick={() => (showsHelp.value = true)}>
          <kbd aria-hidden="true">?</kbd>
        </button>
      </header>
      <main>
        <View />
      </main>
      {showsHelp.value && <Help close={() => (showsHelp.value = false)} />}
    </>
  );
}

/** Connection state, virtual time and number of received events. */
function Status() {
  const feed = liveFeed.value;
  feed.follow();
  const state = feed.state.value;
  const words = { connecting: 'connecting', live: 'live', ended: 'run finished', lost: 'not connected' }[
    state
  ];
  return (
    <div class="status">
      <span class="mono status-time" data-testid="now">
        {feed.now === undefined ? '' : dateAndTime(feed.now).slice(0, 19)}
      </span>
      <span class="quiet status-count">
        <span data-testid="received">{count(feed.counts.received)}</span>{' '}
        {noun(feed.counts.received, 'event')}
      </span>
      <span class={`state ${state}`} role="status" data-testid="state">
        {words}
      </span>
    </div>
  );
}

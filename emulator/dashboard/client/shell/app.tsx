import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ensureLanguage } from '../charts/language.js';
import { count, dateAndTime } from '../instants.js';
import { Journeys } from '../journeys/journeys.js';
import { Live } from '../live/live.js';
import { liveFeed } from '../live/live-feed.js';
import { addressOf, follow, viewRoute, type View as ViewName, views } from '../view-route.js';
import { Run } from '../run/run.js';
import { Help } from './help.js';
import { listenForKeys } from './keyboard.js';
import { lazy } from './lazy.js';

const titles: Readonly<Record<ViewName, string>> = {
  live: 'Live',
  journeys: 'Journeys',
  world: 'World',
  compose: 'Compose',
  run: 'Run',
  consumers: 'Consumers',
  charts: 'Charts',
};

// Other views load on demand, so that the first one appears sooner.
const World = lazy(async () => (await import('../world/world.js')).World);
const Compose = lazy(async () => (await import('../compose/compose.js')).Compose);
const Consumers = lazy(async () => (await import('../consumers/consumers.js')).Consumers);
const Charts = lazy(async () => {
  ensureLanguage();
  return (await import('../charts/charts.js')).Charts;
});

export function App() {
  const showsHelp = useSignal(false);
  useEffect(() => listenForKeys(showsHelp), []);
  const { view } = viewRoute.value;
  return (
    <>
      <header class="top">
        <h1>Busbar</h1>
        <nav aria-label="Views">
          {views.map((each) => (
            <a
              key={each}
              href={addressOf({ ...viewRoute.value, view: each, event: undefined })}
              aria-current={each === view ? 'page' : undefined}
              onClick={follow({ view: each, event: undefined })}
            >
              {titles[each]}
            </a>
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

function View() {
  switch (viewRoute.value.view) {
    case 'live':
      return <Live />;
    case 'journeys':
      return <Journeys />;
    case 'world':
      return <World />;
    case 'compose':
      return <Compose />;
    case 'consumers':
      return <Consumers />;
    case 'charts':
      return <Charts />;
    case 'run':
      return <Run />;
  }
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
        <span data-testid="received">{count(feed.counts.received)}</span> events
      </span>
      <span class={`state ${state}`} role="status" data-testid="state">
        {words}
      </span>
    </div>
  );
}

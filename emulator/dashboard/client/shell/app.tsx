import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { consumers } from '../consumers/consumers-state.js';
import { Live } from '../live/live.js';
import { visible } from '../visible.js';
import { viewRoute, type View as ViewName, type ViewRoute, views } from '../view-route.js';
import { RunBar } from '../run/run-bar.js';
import { isLost } from '../stream/main-feed.js';
import { customerName } from '../stream/stream-event.js';
import { TimeLine } from '../timeline/timeline.js';
import { Help, listenForKeys, toggleHelp } from './keyboard.js';
import { Icon } from './icons.js';
import { keepFocus } from './keep-focus.js';
import { Link } from './link.js';
import { switchTheme, theme } from './theme.js';
import { EmptyState, NotConnected } from './empty-state.js';

// Other views load on demand, so that the first one appears sooner.
const shown: Readonly<Record<ViewName, readonly [title: string, View: ComponentType]>> = {
  live: ['Live', Live],
  journeys: ['Journeys', lazy(async () => (await import('../journeys/journeys.js')).Journeys)],
  world: ['World', lazy(async () => (await import('../world/world.js')).World)],
  compose: ['Compose', lazy(async () => (await import('../compose/compose.js')).Compose)],
  run: ['Run', lazy(async () => (await import('../run/run.js')).Run)],
  consumers: ['Consumers', lazy(async () => (await import('../consumers/consumers.js')).Consumers)],
};

export function App() {
  useEffect(listenForKeys, []);
  useEffect(keepFocus, []);
  useEffect(consumers.watch, []);
  const { value: route } = viewRoute;
  const { view } = route;
  const [title, View] = shown[view];
  useEffect(() => {
    document.title = visible([subjectOf(route), title, 'Busbar'].filter(Boolean).join(' · '));
  }, [route]);
  return (
    <>
      <header>
        <div class="top">
          <h1>
            <Icon name="mark" /> Busbar
          </h1>
          <nav aria-label="Views">
            {views.map((each) => (
              <Link
                key={each}
                to={{ view: each, event: undefined }}
                aria-current={each === view ? 'page' : undefined}
              >
                <Icon name={each} />
                {shown[each][0]}
              </Link>
            ))}
          </nav>
          <button
            type="button"
            class="theme-button"
            aria-label={theme.value === 'dark' ? 'Light colours' : 'Dark colours'}
            onClick={switchTheme}
          >
            <Icon name="theme" />
          </button>
          <button type="button" aria-label="Keys" onClick={toggleHelp}>
            <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
        <RunBar />
        <TimeLine />
      </header>
      <main>
        <View />
      </main>
      <Help />
    </>
  );
}

/** Returns the open event, customer or account of a view, which tells apart tabs and entries of the history. */
function subjectOf({ view, event, customer, account, compose }: ViewRoute): string | undefined {
  if (event !== undefined) return `Event ${event}`;
  if (view === 'journeys' && customer !== undefined) return customerName(customer);
  return { world: account, compose }[view as string];
}

/** Returns a view that loads its code when it is first shown, and again if the connection was lost. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy() {
    const [isMissing, setMissing] = useState<boolean>();
    useEffect(() => {
      if (loaded !== undefined || isLost.value) return;
      load().then(
        (view) => {
          loaded = view;
          setMissing(false);
        },
        () => setMissing(true),
      );
    }, [isLost.value]);
    const View = loaded;
    if (View !== undefined) return <View />;
    if (isLost.value) return <NotConnected />;
    return isMissing ? (
      <EmptyState title="This view does not load">
        Another version of the emulator has other files.
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </EmptyState>
    ) : null;
  };
}

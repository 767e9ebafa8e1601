import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, dateAndTime } from '../instants.js';
import { Journeys } from '../journeys/journeys.js';
import { Live } from '../live/live.js';
import { liveFeed } from '../live/live-feed.js';
import { addressOf, go, place, type View as ViewName } from '../place.js';
import { Run } from '../run/run.js';
import { Help } from './help.js';
import { listenForKeys } from './keyboard.js';

const titles: Readonly<Record<ViewName, string>> = { live: 'Live', journeys: 'Journeys', run: 'Run' };

export function App() {
  const showsHelp = useSignal(false);
  useEffect(() => listenForKeys(showsHelp), []);
  const { view } = place.value;
  return (
    <>
      <header class="top">
        <h1>Busbar</h1>
        <nav aria-label="Views">
          {(Object.keys(titles) as ViewName[]).map((each) => (
            <a
              key={each}
              href={addressOf({ ...place.value, view: each, event: undefined })}
              aria-current={each === view ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go({ view: each, event: undefined });
              }}
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
  switch (place.value.view) {
    case 'live':
      return <Live />;
    case 'journeys':
      return <Journeys />;
    case 'run':
      return <Run />;
  }
}

/** Whether the emulator is there, how far virtual time is, and how much has come. */
function Status() {
  const feed = liveFeed.value;
  feed.follow();
  const state = feed.state.value;
  const words = { connecting: 'connecting', live: 'live', ended: 'run over', lost: 'not connected' }[state];
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
